import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { asObjects, isLoose } from '@kerf/provider-kit/documents'
import { accountRecords, ofCloud, recordTags, text } from './account-documents.ts'

const instanceId = (providerID: string | undefined): string => providerID?.split('/').at(-1) ?? ''

export const cld004: DoctorCheck = {
  id: 'CLD-004',
  group: 'cloud',
  severity: 'critical',
  title: 'Instances without NodeClaims, and NodeClaims without instances',
  why: 'An instance without a NodeClaim costs money, and if its tags are wrong, no controller terminates it. A NodeClaim without an instance counts as capacity that does not exist.',
  reads: ['NodeClaim', ofCloud('Reservations')],
  examine({ nodeClaims, cloud }) {
    const alive = accountRecords(cloud, 'Reservations')
      .flatMap((each) => asObjects(each['Instances']))
      .filter(({ State }) => isLoose(State) && ['pending', 'running'].includes(text(State['Name'])))
    const claimed = new Set(nodeClaims.map(({ status }) => instanceId(status?.providerID)))
    const there = new Set(alive.map((each) => text(each['InstanceId'])))
    const orphans = alive
      .filter((each) => recordTags(each).has('karpenter.sh/nodepool') && !claimed.has(text(each['InstanceId'])))
      .map((each) => `Instance ${text(each['InstanceId'])}`)
    const hollow = nodeClaims
      .filter(
        ({ status }) => status?.providerID?.startsWith('aws:') === true && !there.has(instanceId(status.providerID)),
      )
      .map(({ metadata }) => `NodeClaim ${metadata.name}`)
    return foundAny(
      [...orphans, ...hollow],
      {
        seen: [
          ...(orphans.length > 0 ? ['instances with the tag of a NodePool that no NodeClaim names'] : []),
          ...(hollow.length > 0 ? ['NodeClaims whose instance does not run'] : []),
        ].join('; '),
        remedy:
          'check that they do not belong to another cluster; then aws ec2 terminate-instances --instance-ids ID, or kubectl delete nodeclaim NAME',
      },
      'each instance has a NodeClaim, and each NodeClaim an instance',
    )
  },
}
