import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { asObjects, isLoose, type Loose } from '@kerf/provider-kit/documents'
import { accountRecords, ofCloud, text } from './account-documents.ts'

const listed = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : [text(value)])

const allows = (statement: Loose, action: string): boolean => {
  const [service = ''] = action.split(':')
  return listed(statement['Action']).some((each) =>
    ['*', `${service}:*`, action].some((one) => one.toLowerCase() === each.toLowerCase()),
  )
}

const isEverywhere = (statement: Loose): boolean => listed(statement['Resource']).includes('*')

const hasCondition = ({ Condition }: Loose): boolean => isLoose(Condition) && Object.keys(Condition).length > 0

export const cld002: DoctorCheck = {
  id: 'CLD-002',
  group: 'cloud',
  severity: 'warning',
  title: 'Permissions of the controller that are too broad',
  why: 'With iam:PassRole on every role, an attacker who controls the controller can start an instance with the most powerful role of the account. With ec2:TerminateInstances without a condition on tags, it can terminate any instance.',
  reads: [ofCloud('PolicyDocument')],
  examine({ cloud }) {
    const statements = accountRecords(cloud, 'PolicyDocument')
      .flatMap(({ Statement }) => (isLoose(Statement) ? [Statement] : asObjects(Statement)))
      .filter((each) => text(each['Effect']) === 'Allow')
    const wide = [
      ...(statements.some((each) => allows(each, 'iam:PassRole') && isEverywhere(each)) ? ['iam:PassRole'] : []),
      ...(statements.some((each) => allows(each, 'ec2:TerminateInstances') && !hasCondition(each))
        ? ['ec2:TerminateInstances']
        : []),
    ]
    return foundAny(
      wide.map((action) => `Action ${action}`),
      {
        seen: 'allowed for every role, or without a condition on the tags of the cluster',
        remedy:
          'use the policy that kerf aws policy prints; it is limited to the role of the nodes and the tags of the cluster',
      },
      'PassRole is limited to roles, and TerminateInstances is limited by tags',
    )
  },
}
