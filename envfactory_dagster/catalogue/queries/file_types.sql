-- Which types of files environments are made of.
-- Agent-World, figure 4 (d).
-- What differs: there, the data of every environment are files of many types (json, csv, html, …). Here most are SQLite
-- databases; of environments whose state is files, these count with their types, beside the other files of a bundle.
SELECT kind, count(*) AS files, count(DISTINCT environment) AS environments
FROM files
GROUP BY kind
ORDER BY files DESC, kind
