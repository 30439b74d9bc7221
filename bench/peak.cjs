// node -r bench/peak.cjs …: writes the most memory that the process has taken, in kilobytes, and its processor time, in
// milliseconds, to the file that PEAK names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(process.env.PEAK, `${maxRSS} ${(userCPUTime + systemCPUTime) / 1000}`);
});
