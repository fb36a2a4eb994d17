import type { Pod } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import type { LabelSet } from '../objects/label-selector.ts'
import { type HostPort, hostPorts } from './host-ports.ts'
import { type PodRequests, podRequests } from './pod-requests.ts'
import type { ResourceNames } from './quantities.ts'

/**
 * Pods that all filters and scores treat alike. They have the same namespace, requests and constraints, and the same values for all labels
 * that selectors use. The scheduler computes the results for each node once for all pods of a class.
 */
export interface PodClass {
  readonly key: string
  readonly namespace: string
  /** The labels of the pods that selectors use. */
  readonly labels: LabelSet
  /** One pod of the pod class. Only fields that are part of the class key may be read. */
  readonly sample: Pod
  readonly requests: PodRequests
  readonly ports: readonly HostPort[]
  /** The names of the volume claims that the pod mounts. A pod class with claims usually has one pod. */
  readonly claims: readonly ClaimUse[]
  /** Whether the pod claims devices. A pod class with device claims usually has one pod. */
  readonly usesDevices: boolean
}

interface ClaimUse {
  readonly name: string
  /** Whether the claim belongs to an ephemeral volume of this pod. */
  readonly ephemeral: boolean
}

const podClaims = (pod: Pod): ClaimUse[] => {
  const claims: ClaimUse[] = []
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) {
      claims.push({ name: volume.persistentVolumeClaim.claimName, ephemeral: false })
    } else if (volume.ephemeral !== undefined) {
      claims.push({ name: `${pod.metadata.name}-${volume.name}`, ephemeral: true })
    }
  }
  return claims
}

/** Assigns pods to classes. */
export class PodClasses {
  readonly #names: ResourceNames
  readonly #classes = new Map<string, PodClass>()
  readonly #relevant = new Set<string>()

  constructor(names: ResourceNames) {
    this.#names = names
  }

  /** Adds label keys that selectors use. Returns whether any key is new. A new key invalidates all existing pod classes. */
  look(keys: Iterable<string>): boolean {
    const before = this.#relevant.size
    for (const key of keys) this.#relevant.add(key)
    return this.#relevant.size > before
  }

  clear(): void {
    this.#classes.clear()
  }

  of(pod: Pod): PodClass {
    const spec = pod.spec
    const labels: Record<string, string> = {}
    const present = pod.metadata.labels
    for (const key in present) {
      const value = present[key]
      if (value !== undefined && this.#relevant.has(key)) setOwnValue(labels, key, value)
    }
    const requests = podRequests(this.#names, pod)
    const ports = hostPorts(pod)
    const claims = podClaims(pod)
    const namespace = pod.metadata.namespace ?? ''
    const usesDevices = (spec.resourceClaims ?? []).length > 0
    const key = JSON.stringify([
      namespace,
      Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
      requests,
      spec.nodeSelector,
      spec.affinity,
      spec.tolerations,
      spec.topologySpreadConstraints,
      spec.priority,
      ports,
      claims,
      usesDevices ? [pod.metadata.name, spec.resourceClaims, pod.status?.resourceClaimStatuses] : 0,
    ])
    let known = this.#classes.get(key)
    if (known === undefined) {
      if (this.#classes.size > 20_000) this.#classes.clear()
      known = { key, namespace, labels, sample: pod, requests, ports, claims, usesDevices }
      this.#classes.set(key, known)
    }
    return known
  }
}
