import { ownValue, setOwnValue } from '@kerf/apis'
import { asObjects, isLoose, type Loose } from '@kerf/provider-kit/documents'

/** Fields of Terraform, without underscores, whose names differ in the AKS API. */
const NAMES: Readonly<Record<string, string>> = {
  nodecount: 'count',
  autoscalingenabled: 'enableautoscaling',
  zones: 'availabilityzones',
  priority: 'scalesetpriority',
  evictionpolicy: 'scalesetevictionpolicy',
  hostencryptionenabled: 'enableencryptionathost',
  enablehostencryption: 'enableencryptionathost',
  fipsenabled: 'enablefips',
  nodepublicipenabled: 'enablenodepublicip',
  ultrassdenabled: 'enableultrassd',
  gpuinstance: 'gpuinstanceprofile',
  cpucfsquotaenabled: 'cpucfsquota',
  podmaxpid: 'podmaxpids',
  containerlogmaxline: 'containerlogmaxfiles',
}

/** Fields that only the Terraform resource has, and fields that this file converts separately. */
const OWN: ReadonlySet<string> = new Set([
  'kubernetes_cluster_id',
  'temporary_name_for_rotation',
  'timeouts',
  'gpu_driver',
  'type',
])

/** Returns the fields under their lower-case API names. In the state, a block is a list with one entry. */
const asApi = (values: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (OWN.has(key)) continue
    const plain = key.replaceAll('_', '')
    const [block] = asObjects(value)
    const read = block === undefined ? value : asApi(block)
    setOwnValue(
      fields,
      ownValue(NAMES, plain) ?? plain,
      isLoose(value) && key !== 'tags' && !key.startsWith('node_') ? asApi(value) : read,
    )
  }
  return fields
}

const poolFields = (values: Loose, more: Loose = {}): Loose => ({
  ...asApi(values),
  ...(values['gpu_driver'] === undefined || values['gpu_driver'] === null
    ? {}
    : { gpuprofile: { driver: values['gpu_driver'] } }),
  ...more,
})

/** Converts `azurerm_kubernetes_cluster` of Terraform's state to the form of `az aks show`. */
export const clusterExport = (values: Loose): Loose => ({
  id: values['id'],
  name: values['name'],
  location: values['location'],
  resourceGroup: values['resource_group_name'],
  agentPoolProfiles: asObjects(values['default_node_pool']).map((pool) => poolFields(pool, { mode: 'System' })),
  autoScalerProfile: asObjects(values['auto_scaler_profile'])[0],
})

/** Converts `azurerm_kubernetes_cluster_node_pool` of Terraform's state to the form of `az aks nodepool list`. */
export const poolExport = (values: Loose): Loose => poolFields(values)
