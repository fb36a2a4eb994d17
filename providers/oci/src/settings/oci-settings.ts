import { clusterSettings } from '@kerf/provider-kit'
import { type SettingsOf, setting } from '@kerf/runtime'
import { COMMUNITY_NOT_PREEMPTIBLE, COMMUNITY_PREEMPTIBLE } from '../instance-types/shape-lists.ts'
import { defaultRepairPolicies, repairPolicies } from './repair-policies.ts'
import { numbers, shapeSizes } from './setting-parsers.ts'

const { choice, flagged, integer, list, parsed, text } = setting

const EVERY_OCPU = Array.from({ length: 128 }, (_each, index) => index + 1)

/** The settings of zoom/karpenter-oci, with its names and defaults. */
const communitySettings = {
  clusterName: clusterSettings.clusterName,
  clusterEndpoint: clusterSettings.clusterEndpoint,
  vmMemoryOverheadPercent: clusterSettings.vmMemoryOverheadPercent,
  clusterDNS: text({
    env: 'CLUSTER_DNS',
    flag: 'cluster-dns',
    default: '',
    meaning: 'Address of the DNS of the cluster, for nodes of an OciNodeClass that names none.',
  }),
  clusterCABundle: clusterSettings.clusterCABundle,
  clusterBootstrapToken: text({
    env: 'CLUSTER_BOOTSTRAP_TOKEN',
    flag: 'cluster-bootstrap-token',
    default: '',
    meaning: 'Token with which nodes of the image family Ubuntu2204 join the cluster.',
  }),
  compartmentID: text({
    env: 'COMPARTMENT_ID',
    flag: 'compartment-id',
    default: '',
    meaning:
      'OCID of the compartment of the instances and networks. The Oracle Cloud provider requires this setting or CLUSTER_COMPARTMENT_ID.',
  }),
  tagNamespace: text({
    env: 'TAG_NAMESPACE',
    flag: 'tag-namespace',
    default: 'oke-karpenter-ns',
    meaning: 'Namespace of the defined tags that mark instances of OciNodeClasses. It must exist.',
  }),
  ociAuthMethods: choice({
    env: 'OCI_AUTH_METHODS',
    flag: 'oci-auth-methods',
    default: 'OKE',
    of: ['OKE', 'API_KEY', 'SESSION', 'INSTANCE_PRINCIPAL'],
    meaning:
      'How Kerf signs in. `OKE`: the workload identity of its ServiceAccount. `INSTANCE_PRINCIPAL`: the instance of the controller. `API_KEY`: the key in CONFIG_YAML_FILENAME. `SESSION`: a session of Oracle’s command line. OCI_AUTH_METHOD has precedence.',
  }),
  configYAMLFilename: text({
    env: 'CONFIG_YAML_FILENAME',
    flag: 'CONFIG_YAML_FILENAME',
    default: '/etc/oci/config.yaml',
    meaning: 'File with the API key of a user, for the method `API_KEY`.',
  }),
  flexCPUConstrainList: parsed({
    env: 'FLEX_CPU_CONSTRAIN_LIST',
    flag: 'flex-cpu-constrain-list',
    default: EVERY_OCPU,
    defaultText: '1,2,3,…,128',
    parse: numbers,
    meaning: 'OCPUs of the sizes of flexible shapes, for OciNodeClasses.',
  }),
  flexCPUMemRatios: parsed({
    env: 'FLEX_CPU_MEM_RATIOS',
    flag: 'flex-cpu-mem-ratios',
    default: [4],
    defaultText: '4',
    parse: numbers,
    meaning: 'GB of memory for each vCPU of the sizes of flexible shapes, for OciNodeClasses.',
  }),
  preemptibleShapes: list({
    env: 'PREEMPTIBLE_SHAPES',
    flag: 'preemptible-shapes',
    default: COMMUNITY_PREEMPTIBLE,
    meaning: 'Prefixes of the shapes that nodes of OciNodeClasses can have as preemptible instances.',
  }),
  preemptibleExcludeShapes: list({
    env: 'PREEMPTIBLE_EXCLUDE_SHAPES',
    flag: 'preemptible-exclude-shapes',
    default: COMMUNITY_NOT_PREEMPTIBLE,
    meaning: 'Prefixes of shapes that are not preemptible although PREEMPTIBLE_SHAPES has them.',
  }),
  priceEndpoint: text({
    env: 'PRICE_ENDPOINT',
    flag: 'price-endpoint',
    default: 'https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/',
    meaning: 'URL of Oracle’s list of prices.',
  }),
  priceSyncPeriod: integer({
    env: 'PRICE_SYNC_PERIOD',
    flag: 'price-sync-period',
    default: 12,
    min: 1,
    meaning: 'Hours between two readings of the list of prices.',
  }),
  useLocalPriceList: flagged({
    env: 'USE_LOCAL_PRICE_LIST',
    flag: 'use-local-price-list',
    default: false,
    meaning: 'Whether Kerf uses only the prices that are part of it, and does not read the list of prices.',
  }),
} as const

/** The settings of oracle/karpenter-provider-oci, with its names and defaults. */
const oracleSettings = {
  clusterCompartmentID: text({
    env: 'CLUSTER_COMPARTMENT_ID',
    flag: 'cluster-compartment-id',
    default: '',
    meaning: 'OCID of the compartment of the cluster, in which instances are launched. If empty, COMPARTMENT_ID.',
  }),
  vcnCompartmentID: text({
    env: 'VCN_COMPARTMENT_ID',
    flag: 'vcn-compartment-id',
    default: '',
    meaning: 'OCID of the compartment of the network. If empty, the compartment of the cluster.',
  }),
  preBakedImageCompartmentID: text({
    env: 'PRE_BAKED_IMAGE_COMPARTMENT_ID',
    flag: 'pre-baked-image-compartment-id',
    default: '',
    meaning: 'OCID of the compartment in which Oracle publishes images of OKE, for image filters of OCINodeClasses.',
  }),
  apiserverEndpoint: text({
    env: 'APISERVER_ENDPOINT',
    flag: 'apiserver-endpoint',
    default: '',
    meaning: 'Address of the API server for nodes of OCINodeClasses. If empty, the host of CLUSTER_ENDPOINT.',
  }),
  ociVCNIPNative: flagged({
    env: 'OCI_VCN_IP_NATIVE',
    flag: 'oci-vcn-ip-native',
    default: false,
    meaning: 'Whether pods of the cluster get addresses of the network (VCN-native pod networking).',
  }),
  ipFamilies: list({
    env: 'IP_FAMILIES',
    flag: 'ip-families',
    default: ['IPv4'],
    meaning: 'IP families of the cluster: `IPv4`, `IPv6` or both.',
  }),
  ociAuthMethod: choice({
    env: 'OCI_AUTH_METHOD',
    flag: 'oci-auth-method',
    default: '',
    of: ['', 'WORKLOAD', 'SESSION', 'INSTANCE_PRINCIPAL'],
    meaning:
      'How Kerf signs in. `WORKLOAD`: the workload identity of its ServiceAccount. `INSTANCE_PRINCIPAL`: the instance of the controller. `SESSION`: a session of Oracle’s command line. If empty, OCI_AUTH_METHODS.',
  }),
  ociProfileName: text({
    env: 'OCI_PROFILE_NAME',
    flag: 'oci-profile-name',
    default: 'DEFAULT',
    meaning: 'Profile in the configuration file of Oracle’s command line, for the method `SESSION`.',
  }),
  flexibleShapeConfigs: parsed({
    env: 'FLEXIBLE_SHAPE_CONFIGS',
    flag: 'flexible-shape-configs',
    default: [],
    defaultText: '',
    parse: shapeSizes,
    meaning:
      'Sizes of flexible shapes as JSON, for OCINodeClasses without `shapeConfigs`: `[{"ocpus": 2, "memoryInGbs": 16}]`.',
  }),
  instanceLaunchTimeoutVMMins: integer({
    env: 'INSTANCE_LAUNCH_TIMEOUT_VM_MINS',
    flag: 'instance-launch-timeout-vm-mins',
    default: 5,
    min: 1,
    meaning: 'Minutes for which Kerf asks whether the launch of a virtual machine failed after it was accepted.',
  }),
  instanceLaunchTimeoutBMMins: integer({
    env: 'INSTANCE_LAUNCH_TIMEOUT_BM_MINS',
    flag: 'instance-launch-timeout-bm-mins',
    default: 60,
    min: 1,
    meaning: 'Minutes for which Kerf asks whether the launch of a bare-metal instance failed after it was accepted.',
  }),
  instanceLaunchTimeoutFailover: flagged({
    env: 'INSTANCE_LAUNCH_TIMEOUT_FAILOVER',
    flag: 'instance-launch-timeout-failover',
    default: false,
    meaning:
      'Whether Kerf terminates a virtual machine that has no boot volume after INSTANCE_LAUNCH_TIMEOUT_VM_MINS, and uses another offering.',
  }),
  repairPolicies: parsed({
    env: 'REPAIR_POLICIES',
    flag: 'repair-policies',
    default: defaultRepairPolicies,
    defaultText: '',
    parse: repairPolicies,
    meaning:
      'Node conditions after which Kerf replaces a node, as JSON with the duration in nanoseconds: `[{"ConditionType": "Ready", "ConditionStatus": "False", "TolerationDuration": 600000000000}]`. If empty, `Ready` that is `False` or `Unknown` for 30 minutes. Requires the feature gate NodeRepair.',
  }),
} as const

/**
 * The settings of the Oracle Cloud provider: those of both public providers (`providers/oci/docs/spec/oci.md#settings-and-credentials`),
 * then Kerf's additions.
 */
export const ociSettings = {
  ...communitySettings,
  ...oracleSettings,
  ociRegion: text({
    env: 'OCI_REGION',
    flag: 'oci-region',
    default: '',
    origin: 'kerf',
    meaning:
      'Region, for example `us-phoenix-1`. If empty, OCI_RESOURCE_PRINCIPAL_REGION or the region of the credentials.',
  }),
  ociEndpoint: text({
    env: 'OCI_ENDPOINT',
    flag: 'oci-endpoint',
    default: '',
    origin: 'kerf',
    meaning: 'URL of all services of Oracle Cloud, for an emulator. If empty, the services of the region.',
  }),
} as const

export type OciSettings = SettingsOf<typeof ociSettings>
