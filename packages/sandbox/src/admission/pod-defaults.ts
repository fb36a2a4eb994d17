import { schemaDefaults } from '../schema/schema-defaults.ts'
import { builtinType } from '../schema/type-schema.ts'
import {
  ensureObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
} from '../store/json.ts'

const probeDefaults = (probe: JsonObject): void => {
  setDefault(probe, 'timeoutSeconds', 1)
  setDefault(probe, 'periodSeconds', 10)
  setDefault(probe, 'successThreshold', 1)
  setDefault(probe, 'failureThreshold', 3)
  const http = objectAt(probe, 'httpGet')
  if (http !== undefined) {
    setDefault(http, 'path', '/')
    setDefault(http, 'scheme', 'HTTP')
  }
}

const PATH = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
/** Matches an image reference with its tag and digest. */
const IMAGE = new RegExp(
  `^(?:[a-zA-Z0-9.-]+(?::\\d+)?/)?${PATH}(?:/${PATH})*(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[\\w+.-]+:[0-9a-fA-F]+)?$`,
)

/** Returns `Always` if the image has no tag or the tag `latest`. Otherwise, and for an invalid reference, returns `IfNotPresent`. */
const pullPolicy = (image: string): string => {
  const groups = IMAGE.exec(image)?.groups
  if (groups === undefined) return 'IfNotPresent'
  const { tag, digest } = groups
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
}

const containerDefaults = (container: JsonObject, template: boolean): void => {
  setDefault(container, 'imagePullPolicy', pullPolicy(stringAt(container, 'image') ?? ''))
  setDefault(container, 'terminationMessagePath', '/dev/termination-log')
  setDefault(container, 'terminationMessagePolicy', 'File')
  for (const port of objectsAt(container, 'ports')) setDefault(port, 'protocol', 'TCP')
  for (const variable of objectsAt(container, 'env')) {
    const fieldRef = objectAt(objectAt(variable, 'valueFrom'), 'fieldRef')
    if (fieldRef !== undefined) setDefault(fieldRef, 'apiVersion', 'v1')
  }
  for (const key of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, key)
    if (probe !== undefined) probeDefaults(probe)
  }
  const resources = ensureObject(container, 'resources')
  // In a template, requests remain unset. They are set when a pod is created from the template.
  if (!template) fillRequests(resources)
}

/** Sets missing requests to the limits. */
const fillRequests = (resources: JsonObject): void => {
  const limits = objectAt(resources, 'limits')
  if (limits === undefined) return
  const requests = ensureObject(resources, 'requests')
  for (const [name, amount] of Object.entries(limits)) setDefault(requests, name, amount as JsonValue)
}

const volumeDefaults = (volume: JsonObject): void => {
  schemaDefaults(volume, builtinType('io.k8s.api.core.v1.Volume'))
  const sources = Object.keys(volume).filter((key) => key !== 'name')
  if (sources.length === 0) volume['emptyDir'] = {}
  for (const [key, mode] of [
    ['secret', 420],
    ['configMap', 420],
    ['downwardAPI', 420],
    ['projected', 420],
  ] as const) {
    const source = objectAt(volume, key)
    if (source !== undefined) setDefault(source, 'defaultMode', mode)
  }
  for (const source of objectsAt(objectAt(volume, 'projected'), 'sources')) {
    const token = objectAt(source, 'serviceAccountToken')
    if (token !== undefined) setDefault(token, 'expirationSeconds', 3600)
  }
  const hostPath = objectAt(volume, 'hostPath')
  if (hostPath !== undefined) setDefault(hostPath, 'type', '')
  const template = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate')
  if (template !== undefined) ensureObject(template, 'metadata')
  const claim = objectAt(template, 'spec')
  if (claim !== undefined) setDefault(claim, 'volumeMode', 'Filesystem')
}

/** Sets the defaults of a pod's spec or, if `template` is true, of the pod spec in a template. */
export const podSpecDefaults = (spec: JsonObject, template: boolean): void => {
  setDefault(spec, 'restartPolicy', 'Always')
  setDefault(spec, 'dnsPolicy', 'ClusterFirst')
  setDefault(spec, 'terminationGracePeriodSeconds', 30)
  const grace = spec['terminationGracePeriodSeconds']
  if (typeof grace === 'number' && grace < 0) spec['terminationGracePeriodSeconds'] = 1
  setDefault(spec, 'schedulerName', 'default-scheduler')
  setDefault(spec, 'securityContext', {})
  const account = stringAt(spec, 'serviceAccountName') ?? stringAt(spec, 'serviceAccount')
  if (account !== undefined && account !== '') {
    // Writes only if the value differs, because during a status update the spec is frozen and shared with the stored object.
    if (spec['serviceAccountName'] !== account) spec['serviceAccountName'] = account
    if (spec['serviceAccount'] !== account) spec['serviceAccount'] = account
  }
  if (!template) setDefault(spec, 'enableServiceLinks', true)
  for (const key of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, key)) containerDefaults(container, template)
  }
  if (spec['hostNetwork'] === true && !template) {
    for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
      for (const port of objectsAt(container, 'ports'))
        if (port['containerPort'] !== undefined) setDefault(port, 'hostPort', port['containerPort'] as JsonValue)
    }
  }
  for (const volume of objectsAt(spec, 'volumes')) volumeDefaults(volume)
}
