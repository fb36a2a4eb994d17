import type { Container, KubeObject, ObjectMeta, PodSpec, PodTemplateSpec, Volume } from '@kerf/apis'

type Fields = Readonly<Record<string, unknown>>

/** The fields of these names that are there. */
const pick = (object: object | undefined, names: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(object ?? {}).filter(([name, value]) => names.includes(name) && value !== undefined),
  )

/** Annotations that change what Kerf or the simulated kubelets do; all others stay where they are. */
const KEPT_ANNOTATION = /^(karpenter\.sh|sandbox\.kerf\.sh)\/|^controller\.kubernetes\.io\/pod-deletion-cost$/
/** What the API server and the controllers write themselves, and would refuse from others. */
const MADE_LABEL =
  /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$|^pod-template-hash$|^controller-revision-hash$/
const MADE_ANNOTATION = /^karpenter\.sh\/nodepool-hash/

const withoutKeys = (
  entries: Readonly<Record<string, string>> | undefined,
  isKept: (key: string) => boolean,
): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => isKept(key)))

const isEmpty = (object: object): boolean => Object.keys(object).length === 0

const leanMetadata = ({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta => {
  const keptLabels = withoutKeys(labels, (key) => !MADE_LABEL.test(key))
  const keptAnnotations = withoutKeys(annotations, (key) => KEPT_ANNOTATION.test(key) && !MADE_ANNOTATION.test(key))
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(isEmpty(keptLabels) ? {} : { labels: keptLabels }),
    ...(isEmpty(keptAnnotations) ? {} : { annotations: keptAnnotations }),
  }
}

const leanContainer = ({ name, resources, restartPolicy, ports }: Container): Container => {
  const hostPorts = (ports ?? []).filter(({ hostPort }) => hostPort !== undefined)
  return {
    name,
    image: 'recorded',
    ...(resources === undefined ? {} : { resources: pick(resources, ['requests', 'limits']) }),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    ...(hostPorts.length === 0 ? {} : { ports: hostPorts }),
  }
}

const CLAIM_SPEC = ['accessModes', 'resources', 'storageClassName', 'volumeMode'] as const

/** Volumes that have to be attached somewhere; config maps, secrets and scratch space place nothing. */
const leanVolume = ({ name, persistentVolumeClaim, ephemeral }: Volume): readonly Volume[] => {
  if (persistentVolumeClaim !== undefined) return [{ name, persistentVolumeClaim }]
  const claim = ephemeral?.volumeClaimTemplate
  if (claim === undefined) return []
  return [{ name, ephemeral: { volumeClaimTemplate: { spec: pick(claim.spec, CLAIM_SPEC) } } }]
}

const POD_SPEC = [
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'resources',
  'runtimeClassName',
  'priorityClassName',
  'preemptionPolicy',
  'terminationGracePeriodSeconds',
  'restartPolicy',
] as const

/** A pod as far as its place and its end depend on it: no image, command, environment, mount or identity. */
export const leanPodSpec = (spec: PodSpec): PodSpec => {
  const volumes = (spec.volumes ?? []).flatMap(leanVolume)
  const inits = (spec.initContainers ?? []).map(leanContainer)
  return {
    ...pick(spec, POD_SPEC),
    ...(volumes.length === 0 ? {} : { volumes }),
    ...(inits.length === 0 ? {} : { initContainers: inits }),
    containers: spec.containers.map(leanContainer),
  }
}

const leanTemplate = ({ metadata, spec }: PodTemplateSpec): PodTemplateSpec => ({
  metadata: leanMetadata(metadata ?? {}),
  spec: leanPodSpec(spec),
})

const leanClaimTemplate = (claim: KubeObject): Fields => ({
  metadata: leanMetadata(claim.metadata),
  spec: pick(Object.entries(claim).find(([field]) => field === 'spec')?.[1] as object | undefined, CLAIM_SPEC),
})

/** The fields of each kind's spec that a simulation reads; `template` and claims are made lean beside them. */
const SPECS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['replicas', 'selector', 'strategy', 'minReadySeconds'],
  StatefulSet: ['replicas', 'selector', 'serviceName', 'podManagementPolicy', 'updateStrategy', 'minReadySeconds'],
  DaemonSet: ['selector', 'updateStrategy', 'minReadySeconds'],
  Job: ['parallelism', 'completions', 'completionMode', 'backoffLimit'],
  PodDisruptionBudget: ['minAvailable', 'maxUnavailable', 'selector', 'unhealthyPodEvictionPolicy'],
  PersistentVolumeClaim: CLAIM_SPEC,
  NodePool: ['template', 'disruption', 'limits', 'weight', 'replicas'],
  NodeOverlay: ['requirements', 'priceAdjustment', 'price', 'capacity', 'weight'],
}

/** Kinds without a spec: the fields that stand beside the metadata. */
const TOP: Readonly<Record<string, readonly string[]>> = {
  Namespace: [],
  PriorityClass: ['value', 'globalDefault', 'preemptionPolicy'],
  RuntimeClass: ['handler', 'overhead', 'scheduling'],
  StorageClass: ['provisioner', 'volumeBindingMode', 'allowedTopologies'],
}

const isTemplate = (value: unknown): value is PodTemplateSpec =>
  typeof value === 'object' && value !== null && 'spec' in value

/**
 * What of an object a recording keeps: closed lists of fields, so that nothing comes along that nobody asked for. Secrets,
 * environments, commands, images, identities and free annotations never do. Throws for kinds that are not recorded.
 */
export const leanObject = (object: KubeObject): KubeObject => {
  const { apiVersion, kind } = object
  const head = { apiVersion, kind, metadata: leanMetadata(object.metadata) }
  const top = TOP[kind]
  if (top !== undefined) return { ...head, ...pick(object, top) }
  const { spec }: KubeObject & { readonly spec?: Fields } = object
  if (kind === 'Pod') return { ...head, ...{ spec: leanPodSpec((object as KubeObject & { spec: PodSpec }).spec) } }
  const fields = SPECS[kind]
  if (fields === undefined) throw new Error(`objects of kind ${kind} are not recorded`)
  const template = kind === 'NodePool' ? undefined : spec?.['template']
  const claims = spec?.['volumeClaimTemplates']
  return {
    ...head,
    ...{
      spec: {
        ...pick(spec, fields),
        ...(isTemplate(template) ? { template: leanTemplate(template) } : {}),
        ...(Array.isArray(claims) ? { volumeClaimTemplates: claims.map(leanClaimTemplate) } : {}),
      },
    },
  }
}
