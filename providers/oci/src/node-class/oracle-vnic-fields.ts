import { listField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'
import { exactlyOne, namespaced, resourceFilter } from './oracle-selectors.ts'

const subnetConfig = object(
  {
    subnetId: optional(text({ description: 'The OCID of the subnet.' })),
    subnetFilter: resourceFilter('subnet', { isChecked: true }),
  },
  { description: 'The subnet.', rules: [exactlyOne('subnetId', 'subnetFilter')] },
)

const groupConfig = object(
  {
    networkSecurityGroupId: optional(text({ description: 'The OCID of the network security group.' })),
    networkSecurityGroupFilter: resourceFilter('network security group', { isChecked: false }),
  },
  {
    description: 'One network security group.',
    rules: [exactlyOne('networkSecurityGroupId', 'networkSecurityGroupFilter')],
  },
)

const vnicFields = {
  subnetConfig,
  networkSecurityGroupConfigs: optional(
    listField(groupConfig, { description: 'The network security groups of the interface.', listType: 'atomic' }),
  ),
  assignIpV6Ip: optional(
    yesNo({ description: 'Whether the interface has an IPv6 address. Absent: the subnet decides.' }),
  ),
  assignPublicIp: optional(
    yesNo({ description: 'Whether the interface has a public address. Absent: the subnet decides.' }),
  ),
  vnicDisplayname: optional(text({ description: 'The display name of the interface.', minLength: 1, maxLength: 255 })),
  ipv6AddressIpv6SubnetCidrPairDetails: optional(
    listField(
      object(
        { ipv6SubnetCidr: optional(text({ description: 'An IPv6 block of the subnet.' })) },
        { description: 'One IPv6 address.' },
      ),
      { description: 'The IPv6 blocks from which the interface gets addresses.', listType: 'atomic' },
    ),
  ),
  skipSourceDestCheck: optional(
    yesNo({ description: 'Whether the interface forwards packets of other addresses. Absent: yes.' }),
  ),
  securityAttributes: namespaced('Security attributes of the interface, by namespace and key.'),
}

const secondaryVnic = object(
  {
    ...vnicFields,
    applicationResource: optional(text({ description: 'The application that uses the interface.' })),
    ipCount: optional(
      whole({
        description: 'The maximum number of pod addresses: a power of two. Absent: 32.',
        minimum: 1,
        maximum: 256,
      }),
    ),
    nicIndex: optional(whole({ description: 'The physical network card of a bare-metal instance. Absent: 0.' })),
  },
  { description: 'One network interface for pods.' },
)

/** The field `spec.networkConfig` of OCINodeClass. */
export const networkConfig = object(
  {
    primaryVnicConfig: object(vnicFields, { description: 'The network interface of the node.' }),
    secondaryVnicConfigs: optional(
      listField(secondaryVnic, {
        description: 'Network interfaces for pods, with VCN-native pod networking.',
        listType: 'atomic',
        minItems: 0,
        maxItems: 64,
      }),
    ),
  },
  { description: 'The network interfaces of each instance.' },
)
