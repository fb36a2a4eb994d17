import type { Pod } from '@kerf/apis'
import type { ClusterDevices } from '../devices/cluster-devices.ts'
import type { PodDevices } from '../model/device-claims.ts'
import type { PodGroupRead } from '../model/pod-group.ts'
import type { PodPreferences } from '../model/preferences.ts'
import { cachedRequests } from '../pods/cached-requests.ts'
import { hostPortsOf } from '../pods/host-ports.ts'
import { requirementAlternatives } from '../pods/node-requirements.ts'
import { namespaceOf, podName } from '../pods/pod-name.ts'
import { preferencesOf } from '../pods/relaxation.ts'
import { demandComplaints, requestComplaints } from '../pods/validation.ts'
import type { Reason } from '../reason.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { DefaultSpread } from '../topology/default-spread.ts'
import type { PodLabelSets } from '../topology/topology-groups.ts'
import { Storage } from '../volumes/storage.ts'
import { type TermContext, topologyTermsOf } from './topology-terms.ts'

/** What a pod group is read with. */
export interface PodGroupContext {
  readonly terms: TermContext
  readonly storage: Storage
  readonly labelSets: PodLabelSets
  readonly defaultSpread: DefaultSpread
  /** Pods that claim devices are refused. */
  readonly ignoresDevices: boolean
  /** `undefined` while no pod claims devices, or such pods are ignored. */
  readonly devices: ClusterDevices | undefined
}

const NO_REQUESTS: Amounts = new Map()
const NO_PREFERENCES: PodPreferences = {
  requiredNodeTerms: [],
  preferredNodeTerms: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
  spread: [],
  tolerations: [],
}

/** What a pod asks for, or why it cannot be planned. Never throws, whatever the pod is. */
export const readPodGroup = (id: number, pod: Pod, avoidsSettling: boolean, context: PodGroupContext): PodGroupRead => {
  const { terms, storage, labelSets, defaultSpread } = context
  const devices = devicesOf(pod, context)
  const refusal = refusalOf(pod, devices, context)
  if (refusal !== undefined) return refused(id, pod, avoidsSettling, refusal, labelSets)
  const preferences = preferencesOf(pod, defaultSpread.constraintsOf(pod))
  const hasVolumes = Storage.hasVolumes(pod)
  return {
    id,
    pod,
    labels: labelSets.of(namespaceOf(pod), pod.metadata.labels),
    requests: cachedRequests(pod),
    ports: hostPortsOf(pod),
    volumes: hasVolumes ? storage.volumeUseOf(pod) : [],
    volumeAlternatives: hasVolumes ? storage.alternativesOf(pod) : [],
    nodeAlternatives: requirementAlternatives(pod, terms.rules),
    devices: devices !== undefined && 'claims' in devices ? devices : undefined,
    preferences,
    terms: topologyTermsOf(pod, preferences, terms),
    refusal: undefined,
    avoidsSettling,
  }
}

const refused = (
  id: number,
  pod: Pod,
  avoidsSettling: boolean,
  refusal: readonly Reason[],
  labelSets: PodLabelSets,
): PodGroupRead => ({
  id,
  pod,
  labels: labelSets.of('', {}),
  requests: NO_REQUESTS,
  ports: [],
  volumes: [],
  volumeAlternatives: [],
  nodeAlternatives: [],
  devices: undefined,
  preferences: NO_PREFERENCES,
  terms: [],
  refusal,
  avoidsSettling,
})

const hasDeviceClaims = (pod: Pod): boolean =>
  (pod.spec.resourceClaims?.length ?? 0) > 0 ||
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(
    ({ resources }) => (resources?.claims?.length ?? 0) > 0,
  )

/** The devices that a pod claims, `undefined` for none, or what is wrong with its claims, one sentence each. */
const devicesOf = (
  pod: Pod,
  { devices, ignoresDevices }: PodGroupContext,
): PodDevices | readonly string[] | undefined => {
  try {
    if (ignoresDevices) {
      return hasDeviceClaims(pod) ? ['it claims devices (dynamic resource allocation), which are ignored'] : undefined
    }
    const found = devices?.devicesOf(pod)
    return found !== undefined && 'claims' in found && found.claims.length === 0 ? undefined : found
  } catch {
    // What is no pod at all is refused where its requests are read.
    return pod.spec?.containers === undefined ? undefined : ['its resource claims cannot be read']
  }
}

const refusalOf = (
  pod: Pod,
  devices: PodDevices | readonly string[] | undefined,
  { terms, storage }: PodGroupContext,
): readonly Reason[] | undefined => {
  const subject = `pod/${podName(pod)}`
  const refuse = (code: Reason['code'], complaints: readonly string[]): readonly Reason[] =>
    complaints.map((problem) => ({ code, subject, detail: { problem } }))
  try {
    const broken = requestComplaints(pod)
    if (broken.length > 0) return refuse('pod.invalid', broken)
    if (devices !== undefined && !('claims' in devices)) return refuse('pod.device-claim', devices)
    // Pods that run already were admitted once; what they demand is not questioned again
    // (`docs/spec/pending-pods.md#the-provisioning-pass`).
    if (pod.spec.nodeName) return undefined
    const demands = demandComplaints(pod, terms.rules)
    if (demands.length > 0) return refuse('pod.invalid', demands)
    const volumes = Storage.hasVolumes(pod) ? storage.complaintsOf(pod) : []
    return volumes.length > 0 ? refuse('volume.invalid', volumes) : undefined
  } catch (error) {
    return refuse('pod.invalid', [`it cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}
