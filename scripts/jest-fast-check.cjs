// The fast-check that the shared modules have, for the tests: each makes arbitraries for the other.
module.exports = sharedModule('fast-check');
