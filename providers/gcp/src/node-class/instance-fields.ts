import { anyText, listField, mapField, object, optional, text, yesNo } from '@kerf/apis/schema'

/** The fields of a node class that become labels, metadata, tags and network interfaces of an instance. */

/** A name that Compute Engine accepts for resources and network tags. */
export const RESOURCE_NAME = '^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'

/** Metadata keys that are reserved for GKE. */
export const RESERVED_METADATA: readonly string[] = [
  'cluster-location',
  'cluster-name',
  'cluster-uid',
  'configure-sh',
  'containerd-configure-sh',
  'disable-address-manager',
  'enable-os-login',
  'gci-ensure-gke-docker',
  'gci-metrics-enabled',
  'gci-update-strategy',
  'instance-template',
  'install-ssh-psm1',
  'k8s-node-setup-psm1',
  'kube-env',
  'kube-labels',
  'startup-script',
  'user-data',
  'user-profile-psm1',
  'windows-startup-script-ps1',
  'common-psm1',
  'kubeconfig',
  'kubelet-config',
]

const RESERVED_LABELS = [
  'gce:gce-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.gcp/gcenodeclass',
]

/** The field `spec.labels`: labels of instances in Compute Engine, not of Nodes. */
export const instanceLabels = () =>
  optional(
    mapField(anyText(), {
      description:
        'Labels of the instances in Compute Engine. Keys and values: lower case letters, digits, underscores and hyphens, at most 63 characters; see the ValidationSucceeded condition.',
      maxProperties: 20,
      rules: [
        { rule: "self.all(k, k != '')", message: 'a key of "labels" must not be empty' },
        ...RESERVED_LABELS.map((key) => ({
          rule: `self.all(k, k != '${key}')`,
          message: `the key ${key} of "labels" is reserved`,
        })),
        {
          rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
          message: 'keys of "labels" that begin with kubernetes.io/cluster are reserved',
        },
      ],
    }),
  )

/** The field `spec.metadata`. */
export const instanceMetadata = () =>
  optional(
    mapField(anyText(), {
      description: 'Metadata of the instances, in addition to those of GKE.',
      rules: [
        {
          rule: RESERVED_METADATA.map((key) => `!('${key}' in self)`).join(' && '),
          message: `GKE needs these keys of "metadata" for itself: ${RESERVED_METADATA.join(', ')}`,
        },
      ],
    }),
  )

/** The field `spec.networkTags`. */
export const networkTags = () =>
  optional(
    listField(text({ description: 'One network tag.', pattern: RESOURCE_NAME, minLength: 1, maxLength: 63 }), {
      description: 'Network tags of the instances, for firewall rules, in addition to those of GKE.',
      listType: 'atomic',
      maxItems: 20,
    }),
  )

/** The field `spec.shieldedInstanceConfig`. */
export const shieldedInstanceConfig = () =>
  optional(
    object(
      {
        enableSecureBoot: optional(yesNo({ description: 'Whether instances boot signed software only.' })),
        enableVtpm: optional(yesNo({ description: 'Whether instances have a virtual TPM.' })),
        enableIntegrityMonitoring: optional(
          yesNo({ description: 'Whether the boot of instances is compared with a known good boot.' }),
        ),
      },
      { description: 'The settings of Shielded VM. An absent field: the default of Compute Engine.' },
    ),
  )

const networkInterface = object(
  {
    network: optional(text({ description: 'The VPC network. Absent: the network of the cluster.' })),
    subnetwork: text({ description: 'The subnetwork, as a name or a path.', minLength: 1 }),
  },
  { description: 'One additional network interface.' },
)

/** The field `spec.networkConfig`. */
export const networkConfig = () =>
  optional(
    object(
      {
        enablePrivateNodes: optional(
          yesNo({
            description:
              'Whether instances have no public address. Absent: as the cluster specifies. Such nodes need Cloud NAT.',
          }),
        ),
        subnetwork: optional(
          text({ description: 'The subnetwork of the first interface. Absent: the subnetwork of the cluster.' }),
        ),
        additionalNetworkInterfaces: optional(
          listField(networkInterface, {
            description: 'Network interfaces in addition to the first one.',
            listType: 'atomic',
            maxItems: 7,
          }),
        ),
      },
      { description: 'The network interfaces of the instances.' },
    ),
  )
