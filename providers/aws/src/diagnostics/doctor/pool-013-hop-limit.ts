import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { isLoose } from '@kerf/provider-kit/documents'
import { type EC2NodeClass, ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { accountRecords, ofCloud } from './account-documents.ts'

const hopLimit = ({ spec }: EC2NodeClass): number => spec.metadataOptions?.httpPutResponseHopLimit ?? 1

export const pool013: DoctorCheck = {
  id: 'POOL-013',
  group: 'pools',
  severity: 'critical',
  title: 'Pods that lose the role of their node',
  why: 'On nodes with a hop limit of 2, pods can get the role of the node from the instance metadata service. With 1, the default of EC2NodeClass, they cannot. Pods that move from such a node group silently lose their access to AWS.',
  reads: [ofCloud('LaunchTemplateVersions')],
  examine({ objects, cloud }) {
    const open = accountRecords(cloud, 'LaunchTemplateVersions').some((version) => {
      const data = version['LaunchTemplateData']
      const options = isLoose(data) ? data['MetadataOptions'] : undefined
      return isLoose(options) && Number(options['HttpPutResponseHopLimit'] ?? 1) > 1
    })
    const closed = objects.of(ec2NodeClassKind).filter((each) => hopLimit(each) < 2)
    return foundAny(
      open ? closed.map(objectName) : [],
      {
        seen: 'its hop limit is 1, and a launch template of a node group has 2',
        remedy:
          'give the pods their own role (IRSA, EKS Pod Identity), or set spec.metadataOptions.httpPutResponseHopLimit: 2',
      },
      'pods keep the access to the metadata service that they have on the node groups',
    )
  },
}
