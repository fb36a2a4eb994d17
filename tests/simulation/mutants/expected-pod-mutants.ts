import type { Mutant } from './mutant.ts'

/** Plausible bugs in planning for expected pods (`docs/spec/expected-pods.md`). Only runs with that setting reveal them. */
export const expectedPodMutants: readonly Mutant[] = [
  {
    name: 'nodes that no expected pod used are kept',
    caughtBy: 'unused-nodes-terminate',
    file: 'packages/controllers/src/provisioning/expected-pods/unused-claims.ts',
    text: 'if (now < due) return retryAfter(due - now)',
    replacement: 'return done()',
  },
  {
    name: 'a node that has pods counts as unused',
    caughtBy: 'deletions-have-causes',
    text: 'if (claim === undefined || !this.#ahead.isUnused(claim)) {',
    replacement: 'if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) {',
  },
  {
    name: 'pods that exist are expected too',
    caughtBy: 'one-plan-per-pod',
    text: 'const count = (owner.spec.replicas ?? 1) - active.length',
    replacement: 'const count = owner.spec.replicas ?? 1',
  },
  {
    name: 'all nodes for expected pods are launched at once',
    caughtBy: 'one-node-ahead',
    text: 'if (all.every((owner) => launched.has(owner) || hasUnused(owner))) return false',
    replacement: 'if (all.length === 0) return false',
  },
  {
    name: 'pods of another autoscaler are expected',
    caughtBy: 'others-pods-are-left',
    text: "if (demand.kind === 'none' || !this.#state.others.serves(demand.template)) return demand",
    replacement: 'return demand',
  },
]
