import type { Pod } from '@kerf/apis'
import type { ClusterDevices } from '../devices/cluster-devices.ts'
import { noteFault } from '../isolation/noted-faults.ts'
import type { PodDevices } from '../model/device-claims.ts'
import type { EquivalenceGroupRead, PodDemand } from '../model/equivalence-group.ts'
import type { PodPreferences } from '../model/preferences.ts'
import { podHostPorts } from '../pods/host-ports.ts'
import { requirementAlternatives } from '../pods/node-requirements.ts'
import { cachedRequests, type DemandForm, type PodForm } from '../pods/pod-form.ts'
import { podName, podNamespace } from '../pods/pod-name.ts'
import { podPreferences } from '../pods/relaxation.ts'
import { demandComplaints, requestComplaints } from '../pods/validation.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import type { Reason } from '../reasons/reason.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { DefaultSpread } from '../topology/default-spread.ts'
import type { PodLabelSets } from '../topology/topology-groups.ts'
import { Storage } from '../volumes/storage.ts'
import type { PoolAccessIndex } from './pool-access-index.ts'
import { readTopologyTerms, type TermContext } from './topology-terms.ts'

/** The inputs for reading equivalence groups, in addition to the pods. */
export interface EquivalenceGroupContext {
  readonly terms: TermContext
  readonly storage: Storage
  readonly labelSets: PodLabelSets
  readonly defaultSpread: DefaultSpread
  /** Whether pods that claim devices are refused. */
  readonly ignoresDevices: boolean
  /** `undefined` if no pod claims devices, or if such pods are refused. */
  readonly devices: ClusterDevices | undefined
  /** `undefined` if every pod may use every NodePool. */
  readonly access: PoolAccessIndex | undefined
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

/** The errors that make a demand invalid. */
interface RefusedDemand {
  readonly code: 'pod.device-claim' | 'pod.invalid' | 'volume.invalid'
  readonly complaints: readonly string[]
}

/** Reads the equivalence groups of one decision. Data that several groups share is read once. */
export class EquivalenceGroupReader {
  readonly #context: EquivalenceGroupContext
  readonly #byForm = new Map<DemandForm, PodDemand | RefusedDemand>()
  readonly #refused: PodDemand

  constructor(context: EquivalenceGroupContext) {
    this.#context = context
    this.#refused = {
      labels: context.labelSets.of('', {}),
      ports: [],
      volumes: [],
      volumeAlternatives: [],
      nodeAlternatives: [],
      devices: undefined,
      usablePools: '',
      preferences: NO_PREFERENCES,
      terms: [],
    }
  }

  /**
   * Returns the demand of a pod, or the reasons why the pod cannot be planned. If reading the pod alone throws an error, the pod is
   * refused.
   * @throws any error that occurs only when the pod is read together with the cluster; `decideApart` then finds the object at fault
   */
  read(id: number, pod: Pod, form: PodForm | undefined, avoidsSettling: boolean): EquivalenceGroupRead {
    try {
      const broken = form?.requests.complaints ?? requestComplaints(pod)
      if (broken.length > 0) return this.#refusal(id, pod, avoidsSettling, { code: 'pod.invalid', complaints: broken })
      const demand = this.#demandOf(pod, form)
      if ('complaints' in demand) return this.#refusal(id, pod, avoidsSettling, demand)
      return createGroup(id, pod, avoidsSettling, demand, form?.requests.amounts() ?? cachedRequests(pod))
    } catch (error) {
      if (form !== undefined) throw error
      noteFault(error)
      const complaints = [detailTexts.unreadable(error)]
      return this.#refusal(id, pod, avoidsSettling, { code: 'pod.invalid', complaints })
    }
  }

  #demandOf(pod: Pod, form: PodForm | undefined): PodDemand | RefusedDemand {
    const { devices, defaultSpread, access } = this.#context
    // Devices, default spread constraints and usable pools depend on more than the form. Pods with any of these are not cached by form.
    if (form === undefined || devices !== undefined || defaultSpread.keyOf(pod) !== '' || access?.usableBy(pod))
      return readDemand(pod, this.#context)
    let demand = this.#byForm.get(form.demand)
    if (demand === undefined) {
      demand = readDemand(pod, this.#context, form.demand)
      this.#byForm.set(form.demand, demand)
    }
    return demand
  }

  #refusal(id: number, pod: Pod, avoidsSettling: boolean, { code, complaints }: RefusedDemand): EquivalenceGroupRead {
    const subject = `pod/${podName(pod)}`
    const refusal = complaints.map((problem) => ({ code, subject, detail: { problem } }))
    return createGroup(id, pod, avoidsSettling, this.#refused, NO_REQUESTS, refusal)
  }
}

const createGroup = (
  id: number,
  pod: Pod,
  avoidsSettling: boolean,
  demand: PodDemand,
  requests: Amounts,
  refusal?: readonly Reason[],
): EquivalenceGroupRead => ({
  id,
  pod,
  demand,
  labels: demand.labels,
  requests,
  ports: demand.ports,
  volumes: demand.volumes,
  volumeAlternatives: demand.volumeAlternatives,
  nodeAlternatives: demand.nodeAlternatives,
  devices: demand.devices,
  usablePools: demand.usablePools,
  preferences: demand.preferences,
  terms: demand.terms,
  refusal,
  avoidsSettling,
})

const readDemand = (pod: Pod, context: EquivalenceGroupContext, form?: DemandForm): PodDemand | RefusedDemand => {
  const { terms, storage, labelSets, defaultSpread } = context
  const devices = claimedDevices(pod, context)
  if (devices !== undefined && !('claims' in devices)) return { code: 'pod.device-claim', complaints: devices }
  const hasVolumes = Storage.hasVolumes(pod)
  // Kubernetes admitted pods that already run, so their demand is not validated again (`docs/spec/pending-pods.md#the-provisioning-pass`).
  if (!pod.spec.nodeName) {
    const complaints = demandComplaints(pod, terms.rules)
    if (complaints.length > 0) return { code: 'pod.invalid', complaints }
    const ofVolumes = hasVolumes ? storage.complaintsOf(pod) : []
    if (ofVolumes.length > 0) return { code: 'volume.invalid', complaints: ofVolumes }
  }
  const preferences = podPreferences(pod, defaultSpread.constraintsOf(pod))
  return {
    labels: labelSets.ofForm(form, podNamespace(pod), pod.metadata.labels),
    ports: podHostPorts(pod),
    volumes: hasVolumes ? storage.volumeUseOf(pod) : [],
    volumeAlternatives: hasVolumes ? storage.alternativesOf(pod) : [],
    nodeAlternatives: requirementAlternatives(pod, terms.rules),
    devices: devices !== undefined && 'claims' in devices ? devices : undefined,
    usablePools: context.access?.usableBy(pod) ?? '',
    preferences,
    terms: readTopologyTerms(pod, preferences, terms),
  }
}

const hasDeviceClaims = (pod: Pod): boolean =>
  (pod.spec.resourceClaims?.length ?? 0) > 0 ||
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(
    ({ resources }) => (resources?.claims?.length ?? 0) > 0,
  )

/** Returns the devices that a pod claims, `undefined` if it claims none, or the errors of its claims, one sentence each. */
const claimedDevices = (
  pod: Pod,
  { devices, ignoresDevices }: EquivalenceGroupContext,
): PodDevices | readonly string[] | undefined => {
  try {
    if (ignoresDevices) {
      return hasDeviceClaims(pod) ? [detailTexts.ignoredDevices] : undefined
    }
    const found = devices?.devicesOf(pod)
    return found !== undefined && 'claims' in found && found.claims.length === 0 ? undefined : found
  } catch {
    // If the object is not a pod, it is refused later, when its requests are read.
    return pod.spec?.containers === undefined ? undefined : [detailTexts.unreadableDevices]
  }
}
