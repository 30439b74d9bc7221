// node materialise.cjs --oracle DIR --trees DIR [--level N]...
import { readArguments } from './arguments';
import { materialise } from './materialise';

const { levels, oracle, trees } = readArguments(process.argv.slice(2));
for (const level of levels) materialise(oracle, level, trees);
