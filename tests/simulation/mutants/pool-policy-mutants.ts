import type { Mutant } from './mutant.ts'

/** Plausible bugs in NodePoolPolicies (`docs/spec/policies.md#nodepoolpolicy`). Only runs with such a policy reveal them. */
export const poolPolicyMutants: readonly Mutant[] = [
  {
    name: 'pods may use NodePools that are not open to their namespace',
    caughtBy: 'fenced-pools-are-left',
    file: 'packages/engine/src/problem/toleration-sets.ts',
    text: 'if (this.#usable[number]?.has(pool) !== true) return false',
    replacement: 'if (this.#usable[number] === undefined) return false',
  },
  {
    name: 'NodePools that sleep launch nodes',
    caughtBy: 'sleeping-pools-launch-nothing',
    file: 'packages/engine/src/problem/usable-pools.ts',
    text: 'if (sleepsUntil !== undefined) {',
    replacement: "if (sleepsUntil === '') {",
  },
  {
    name: 'NodePools that are awake lose their nodes as if they slept',
    caughtBy: 'deletions-have-causes',
    file: 'packages/controllers/src/disruption/methods/sleep.ts',
    text: '(isAsleep === true ? [] :',
    replacement: "(isAsleep === true || poolName === 'open' ? [] :",
  },
]
