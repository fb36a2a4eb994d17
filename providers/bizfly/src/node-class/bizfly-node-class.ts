import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  enumField,
  listField,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
  whole,
} from '@kerf/apis/schema'
import { BIZFLY_GROUP } from '../names.ts'

const texts = (description: string) => optional(listField(anyText(), { description, listType: 'atomic' }))

const words = <const Values extends readonly string[]>(values: Values, description: string) =>
  optional(listField(enumField(values, { description: 'One of the values.' }), { description, listType: 'atomic' }))

const spec = object(
  {
    region: optional(text({ description: 'Not used: the setting BIZFLY_CLOUD_REGION decides.' })),
    zones: texts(
      'The zones in which servers are launched, for example HN1. Without any, the class has no instance types.',
    ),
    template: text({
      description:
        'Not used, but required by the CRD of Bizfly’s own provider. The image belongs to the version of the cluster.',
    }),
    osType: words(
      ['flatcar', 'ubuntu'],
      'The operating systems of the images, the preferred one first. Absent: ubuntu.',
    ),
    nodeCategories: words(
      ['basic', 'premium', 'enterprise', 'dedicated'],
      'The categories of servers. Without any, the class has no instance types.',
    ),
    cpuVendors: words(['Intel2', 'AMD4'], 'The processors of servers. Absent: any processor.'),
    sshKeyName: optional(text({ description: 'The name of the SSH key pair in the account.' })),
    sshKeys: texts('Not used: the API takes the name of one key pair.'),
    diskTypes: words(['SSD', 'HDD'], 'The types of root disks, the preferred one first. At least one is needed.'),
    rootDiskSize: optional(
      whole({ description: 'The size of the root disk in GB.', minimum: 20, maximum: 1000, default: 40 }),
    ),
    networkPlans: words(
      ['free_datatransfer', 'free_bandwidth'],
      'The network plans of servers, the preferred one first. At least one is needed.',
    ),
    vpcNetworkIds: texts('The IDs of the VPC networks of each server. The first one is the network of the cluster.'),
    placementStrategy: optional(
      object(
        {
          spread: optional(
            object(
              { zones: texts('Not used: zones decides.') },
              { description: 'Not used: pods decide how they spread.' },
            ),
          ),
        },
        { description: 'Not used: pods decide how they spread.' },
      ),
    ),
    tags: texts('Metadata of servers as KEY=VALUE. An entry without = is not used.'),
    metadataOptions: optional(
      object(
        { type: text({ description: 'Not used: servers have no launch template.' }) },
        { description: 'Not used: servers have no launch template.', default: { type: 'template' } },
      ),
    ),
    securityGroups: optional(
      listField(
        object({ securityGroupID: text({ description: 'The ID of the firewall.' }) }, { description: 'One firewall.' }),
        { description: 'The firewalls of each server.', listType: 'atomic', maxItems: 10 },
      ),
    ),
  },
  { description: 'The settings that servers are launched with.' },
)

const status = object(
  {
    // Like the CRD of Bizfly's own provider, the schema accepts duplicate condition types.
    conditions: optional(atomicConditions()),
    lastUpdated: optional(text({ description: 'Written by Bizfly’s own provider alone.', format: 'date-time' })),
    instanceTypes: texts('The instance types that the class admits, by name.'),
    regions: texts('The region of the servers.'),
  },
  { description: 'What the class selects.' },
)

export interface BizflyCloudNodeClassSpec extends Shape<typeof spec> {}
export interface BizflyCloudNodeClassStatus extends Shape<typeof status> {}

/** The node class of Bizfly Cloud servers (`providers/bizfly/docs/spec/bizfly.md#node-class`). */
export interface BizflyCloudNodeClass extends KubeObject {
  /** Optional like in the CRD of Bizfly's own provider, although a class without a spec launches nothing. */
  readonly spec?: BizflyCloudNodeClassSpec
  readonly status?: BizflyCloudNodeClassStatus
}

export const bizflyNodeClassResource: CustomResource<BizflyCloudNodeClass> = {
  kind: {
    group: BIZFLY_GROUP,
    version: 'v1',
    kind: 'BizflyCloudNodeClass',
    plural: 'bizflycloudnodeclasses',
    namespaced: false,
  },
  singular: 'bizflycloudnodeclass',
  shortNames: ['bizflycloudnc', 'bizflycloudncs'],
  categories: ['karpenter'],
  description: 'A BizflyCloudNodeClass has the settings of Bizfly Cloud servers: zones, categories, disks, networks.',
  printerColumns: [
    readyColumn,
    ageColumn,
    { name: 'Categories', type: 'string', jsonPath: '.spec.nodeCategories', priority: 1 },
    { name: 'CPU Vendors', type: 'string', jsonPath: '.spec.cpuVendors', priority: 1 },
  ],
  spec,
  specRequired: false,
  status,
}

/** The group, version and names of BizflyCloudNodeClass in the Kubernetes API. */
export const bizflyNodeClassKind = bizflyNodeClassResource.kind
