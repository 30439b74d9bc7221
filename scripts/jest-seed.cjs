// Random tests repeat the same cases, so that a failure belongs to the change that brings it; SEED=n looks elsewhere.
const fc = require('fast-check');

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
