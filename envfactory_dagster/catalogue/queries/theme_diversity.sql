-- How like each theme is to the nearest one that was taken before it.
-- Stands for EnvScaler, figure 8 (a).
-- What differs: the paper draws embeddings with t-SNE, a picture without figures. The catalogue holds no embeddings,
-- but every theme was compared with those before it when it was taken (cosine of embeddings); this counts them by
-- tenths. The first theme has nobody to be like.
SELECT floor(similarity * 10) / 10 AS similarity_from, count(*) AS themes
FROM environments
WHERE nearest <> ''
GROUP BY 1
ORDER BY 1
