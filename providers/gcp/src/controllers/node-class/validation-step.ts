import type { Step } from '@kerf/provider-kit'
import { classProblems } from '../../node-class/class-problems.ts'
import type { GCENodeClass } from '../../node-class/gce-node-class.ts'

const TYPE = 'ValidationSucceeded'

/**
 * Reports values of a node class that the CRD accepts but with which no instance can be launched. The first problem determines the
 * condition's reason.
 */
export const validationStep: Step<GCENodeClass> = {
  condition: TYPE,
  run: async (nodeClass) => {
    const problems = classProblems(nodeClass)
    const [first] = problems
    if (first === undefined) return { condition: { type: TYPE, status: 'True' } }
    const message = problems.map((problem) => problem.message).join('; ')
    return { condition: { type: TYPE, status: 'False', reason: first.reason, message } }
  },
}
