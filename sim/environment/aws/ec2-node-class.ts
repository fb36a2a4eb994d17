import { apiVersionOf, type EC2NodeClass, karpenterKinds } from '@kerf/apis'
import { cloudNamesOf } from '../../runs/cloud-names.ts'

const discovered = [{ tags: { 'karpenter.sh/discovery': 'demo' } }]

/** The class of every pool on AWS; the account has everything that it selects. */
export const ec2NodeClass: EC2NodeClass = {
  apiVersion: apiVersionOf(karpenterKinds.EC2NodeClass),
  kind: 'EC2NodeClass',
  metadata: { name: cloudNamesOf('aws').nodeClassRef.name },
  spec: {
    role: 'KarpenterNodeRole-demo',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: discovered,
    securityGroupSelectorTerms: discovered,
  },
}
