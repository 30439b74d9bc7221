// node -r bench/peak.cjs …: writes the most memory that the process has taken, in kilobytes, to the file that PEAK names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)));
