import { apiVersionOf, type EC2NodeClass, karpenterKinds } from '@kerf/apis'
import { placesOf } from '../../course/places.ts'

const discovered = [{ tags: { 'karpenter.sh/discovery': 'demo' } }]

/** The class of every pool on AWS; the account has everything that it selects. */
export const ec2NodeClass: EC2NodeClass = {
  apiVersion: apiVersionOf(karpenterKinds.EC2NodeClass),
  kind: 'EC2NodeClass',
  metadata: { name: placesOf('aws').nodeClassRef.name },
  spec: {
    role: 'KarpenterNodeRole-demo',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: discovered,
    securityGroupSelectorTerms: discovered,
  },
}
