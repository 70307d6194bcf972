// Ends a run with one line that says how it went: `e2e: 9 passed, 0 failed`.
//
// Invariant: a file that could not even be loaded counts as a failure.

import type { Reporter, TestModule } from 'vitest/node';

export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      return module.ok() || tests.includes('failed') ? tests : [...tests, 'failed'];
    });
    const count = (state: string) => states.filter((other) => other === state).length;
    console.log(`e2e: ${count('passed')} passed, ${count('failed')} failed`);
  }
}
