import type { Step } from '@kerf/provider-kit'
import { classProblems } from '../../node-class/class-problems.ts'
import type { GCENodeClass } from '../../node-class/gce-node-class.ts'

const TYPE = 'ValidationSucceeded'

/** Reports the values of a class that the CRD accepts and that no instance can be launched with. The first problem gives the reason. */
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
