-- Which types of files environments are made of.
-- Stands for Agent-World, figure 4 (d).
-- What differs: there, the data of an environment are files of many types (json, csv, html, …). Here they are SQLite
-- databases, one for each initial state, so that this counts the files of the bundles.
SELECT kind, count(*) AS files, count(DISTINCT environment) AS environments
FROM files
GROUP BY kind
ORDER BY files DESC, kind
