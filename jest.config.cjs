module.exports = {
  testEnvironment: '<rootDir>/scripts/jest-environment.cjs',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  transform: { '\\.ts$': '<rootDir>/scripts/jest-typescript.cjs' },
  moduleNameMapper: { '^fast-check$': '<rootDir>/scripts/jest-fast-check.cjs' },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json'],
  testSequencer: '<rootDir>/scripts/jest-sequencer.cjs',
  globalSetup: '<rootDir>/scripts/jest-setup.cjs',
  globalTeardown: '<rootDir>/scripts/jest-teardown.cjs',
  setupFiles: ['<rootDir>/scripts/jest-seed.cjs'],
  testTimeout: 60_000,
  // Left to itself jest keeps one processor for itself: on two it would run one file at a time.
  maxWorkers: '100%',
};
