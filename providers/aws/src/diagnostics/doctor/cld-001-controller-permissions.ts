import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { accountRecords, ofCloud, text } from './account-documents.ts'

export const cld001: DoctorCheck = {
  id: 'CLD-001',
  group: 'cloud',
  severity: 'critical',
  title: 'Permissions that the role of the controller lacks',
  why: 'A missing permission shows only when it is needed, for example at a launch or an interruption. IAM can simulate what a policy allows, including permissions boundaries and organization policies.',
  reads: [ofCloud('EvaluationResults')],
  examine({ cloud }) {
    const denied = accountRecords(cloud, 'EvaluationResults')
      .filter((each) => text(each['EvalDecision']) !== 'allowed')
      .map((each) => text(each['EvalActionName']))
    return foundAny(
      [...new Set(denied)].map((action) => `Action ${action}`),
      {
        seen: 'the simulation of the role’s policies denies them',
        remedy:
          'attach the policy that kerf aws policy prints; if it is attached already, look for a permissions boundary',
      },
      'the simulation allows every action',
    )
  },
}
