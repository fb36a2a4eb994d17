import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { ofCloud, recordsOf, text } from './account-documents.ts'

export const cld001: DoctorCheck = {
  id: 'CLD-001',
  group: 'cloud',
  severity: 'critical',
  title: 'Rights that the role of the controller lacks',
  why: 'A right that is missing shows only when it is used: at a launch, at an interruption. IAM says beforehand what a policy allows, boundaries and organisation policies included.',
  reads: [ofCloud('EvaluationResults')],
  examine({ cloud }) {
    const denied = recordsOf(cloud, 'EvaluationResults')
      .filter((each) => text(each['EvalDecision']) !== 'allowed')
      .map((each) => text(each['EvalActionName']))
    return foundAny(
      [...new Set(denied)].map((action) => `Action ${action}`),
      {
        seen: 'the simulation of the role’s policies denies them',
        remedy:
          'kerf aws policy prints the policy that the controller needs; look for a permissions boundary when it is attached already',
      },
      'the simulation allows every action that was asked for',
    )
  },
}
