// Where a test that asked a real httpd fails, its message says which release answered.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    const judge = this.global.httpdJudge;
    if (name !== 'test_done' || typeof judge !== 'string') return;
    for (const each of test.errors) {
      const error = Array.isArray(each) ? each[0] : each;
      if (!(error instanceof Object) || typeof error.message !== 'string') continue;
      const { message, stack } = error;
      error.message = `[httpd ${judge} was asked] ${message}`;
      if (typeof stack === 'string') error.stack = stack.replace(message, () => error.message);
    }
  }
};
