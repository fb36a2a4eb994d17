import { readFile } from 'node:fs/promises'
import { runtimeErrors, textOfThrown } from '@kerf/runtime'
import { parse } from 'yaml'
import type { AuthMethod } from '../api/auth-method.ts'
import type { OciAccess } from '../api/connect-oci.ts'
import type { TypeSettings } from '../instance-types/instance-types.ts'
import type { LaunchTimeouts } from '../launch-timeouts.ts'
import type { OciSettings } from './oci-settings.ts'

const invalid = (...problems: readonly string[]): Error => runtimeErrors.InvalidSetting({ problems })

/** The compartments that Kerf reads from and launches in. */
export interface Compartments {
  /** The compartment of instances whose class specifies none. */
  readonly nodes: string
  readonly network: string
  /** The compartment of OKE's images. */
  readonly okeImages: string
}

/**
 * Returns the compartments.
 *
 * @throws KerfError `InvalidSetting` if no setting specifies the cluster's compartment
 */
export const compartments = ({
  compartmentID,
  clusterCompartmentID,
  vcnCompartmentID,
  preBakedImageCompartmentID,
}: OciSettings): Compartments => {
  const nodes = clusterCompartmentID || compartmentID
  if (nodes === '') throw invalid('COMPARTMENT_ID or CLUSTER_COMPARTMENT_ID: the OCID of a compartment is required')
  return { nodes, network: vcnCompartmentID || nodes, okeImages: preBakedImageCompartmentID || nodes }
}

/** The default number of addresses of a secondary VNIC. */
const IPV4_COUNT = 32
const IPV6_COUNT = 256

/** Returns the settings for computing instance types. */
export const typeSettings = (settings: OciSettings): TypeSettings => ({
  memoryOverhead: settings.vmMemoryOverheadPercent ?? 0,
  defaultIpCount: settings.ipFamilies.length === 1 && settings.ipFamilies[0] === 'IPv6' ? IPV6_COUNT : IPV4_COUNT,
  preemptible: { included: settings.preemptibleShapes, excluded: settings.preemptibleExcludeShapes },
  sizes: {
    ocpus: settings.flexCPUConstrainList,
    memoryRatios: settings.flexCPUMemRatios,
    sizes: settings.flexibleShapeConfigs,
  },
})

const MINUTE = 60_000

/** Returns the maximum time that Kerf waits for the outcome of launches. */
export const launchTimeouts = ({
  instanceLaunchTimeoutVMMins,
  instanceLaunchTimeoutBMMins,
  instanceLaunchTimeoutFailover,
}: OciSettings): LaunchTimeouts => ({
  virtualMachine: instanceLaunchTimeoutVMMins * MINUTE,
  bareMetal: instanceLaunchTimeoutBMMins * MINUTE,
  failsOver: instanceLaunchTimeoutFailover,
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Reads a credentials file of zoom/karpenter-oci. It contains a user's API key, or selects the instance's identity. */
const keyFile = async (file: string): Promise<{ readonly auth: AuthMethod; readonly region: string }> => {
  let document: Readonly<Record<string, unknown>>
  try {
    document = fields(parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw invalid(`CONFIG_YAML_FILENAME: ${file} cannot be read: ${textOfThrown(error)}`)
  }
  const auth = fields(document['auth'])
  const region = text(auth['region'])
  if (document['useInstancePrincipals'] === true) return { auth: { kind: 'instance-principal' }, region }
  const key = {
    tenancy: text(auth['tenancy']),
    user: text(auth['user']),
    fingerprint: text(auth['fingerprint']),
    privateKey: text(auth['key']),
    passphrase: text(auth['passphrase']) || text(auth['key_passphrase']),
  }
  const missing = (['tenancy', 'user', 'fingerprint'] as const).filter((name) => key[name] === '')
  if (key.privateKey === '') throw invalid(`CONFIG_YAML_FILENAME: ${file} has no auth.key`)
  if (missing.length > 0) throw invalid(`CONFIG_YAML_FILENAME: ${file} has no auth.${missing.join(', auth.')}`)
  return { auth: { kind: 'api-key', key }, region }
}

/**
 * Returns the connection settings for Oracle Cloud.
 *
 * @throws KerfError `InvalidSetting` if a file from the settings is unusable
 */
export const ociAccess = async (settings: OciSettings): Promise<OciAccess> => {
  const { ociAuthMethod, ociAuthMethods, ociProfileName, ociRegion: region, ociEndpoint: endpoint } = settings
  const session = (profile: string): AuthMethod => ({ kind: 'session', file: '', profile })
  switch (ociAuthMethod) {
    case 'WORKLOAD':
      return { auth: { kind: 'workload-identity' }, region, endpoint }
    case 'INSTANCE_PRINCIPAL':
      return { auth: { kind: 'instance-principal' }, region, endpoint }
    case 'SESSION':
      return { auth: session(ociProfileName), region, endpoint }
    case '':
      break
  }
  switch (ociAuthMethods) {
    case 'OKE':
      return { auth: { kind: 'workload-identity' }, region, endpoint }
    case 'INSTANCE_PRINCIPAL':
      return { auth: { kind: 'instance-principal' }, region, endpoint }
    case 'SESSION':
      return { auth: session('SESSION'), region, endpoint }
    case 'API_KEY': {
      const key = await keyFile(settings.configYAMLFilename)
      return { auth: key.auth, region: region || key.region, endpoint }
    }
  }
}
