import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CaBundleError, Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { type Clock, type Random, runtimeErrors, textOfThrown, type WriteGate } from '@kerf/runtime'
import { type Account, proxmoxCredentials } from '../api/credentials.ts'
import { httpApi } from '../api/http-api.ts'
import type { ProxmoxApi } from '../api/proxmox-api.ts'
import { httpTransport } from '../api/transport.ts'
import { type ProxmoxCluster, readCloudConfig, type Secret } from './cloud-config.ts'

/**
 * Limits for the HTTP connections. Proxmox responds to a clone request before the clone is complete, but a busy hypervisor may take a while
 * to start it.
 */
const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 20 }

export interface ConnectDeps {
  readonly clock: Clock
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  readonly gate?: WriteGate | undefined
  /** Whether Kerf must log in as `root@pam`, the only user who can set the CPU affinity of guests. */
  readonly mustBeRoot?: boolean
}

const ROOT = 'root@pam'

const invalid = (problems: readonly string[], cause?: unknown): Error =>
  runtimeErrors.InvalidSetting({ problems }, cause === undefined ? {} : { cause })

/** Reads the clusters of the file. @throws KerfError `InvalidSetting` if the file is missing or invalid */
const clustersIn = async (file: string): Promise<readonly ProxmoxCluster[]> => {
  if (file === '') throw invalid(['CLOUD_CONFIG is not set; set it to the file that names the Proxmox clusters'])
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw invalid([`CLOUD_CONFIG ${file} cannot be read: ${textOfThrown(error)}`], error)
  }
  const config = readCloudConfig(text)
  if ('problems' in config) throw invalid(config.problems.map((problem) => `CLOUD_CONFIG ${file}: ${problem}`))
  return config.clusters
}

/** Resolves a path from CLOUD_CONFIG relative to the folder of that file. */
const besides = (config: string, path: string): string => resolve(dirname(config), path)

const secretText = async (config: string, secret: Secret): Promise<string> =>
  'text' in secret ? secret.text : (await readFile(besides(config, secret.file), 'utf8')).trim()

const accountFor = async (config: string, { login }: ProxmoxCluster): Promise<Account> =>
  login.kind === 'password'
    ? { username: login.username, password: login.password }
    : { tokenId: await secretText(config, login.id), tokenSecret: await secretText(config, login.secret) }

/**
 * Returns a client for every Proxmox cluster in the file, by region. Makes no API call.
 *
 * @throws KerfError `InvalidSetting` if the file is missing or invalid
 */
export const connectProxmox = async (
  file: string,
  { clock, random, env, version, gate, mustBeRoot = false }: ConnectDeps,
): Promise<ReadonlyMap<string, ProxmoxApi>> => {
  const clusters = await clustersIn(file)
  const others = clusters.filter(({ login }) => login.kind === 'token' || login.username !== ROOT)
  if (mustBeRoot && others.length > 0)
    throw invalid(
      others.map(
        ({ region }) =>
          `CLOUD_CONFIG ${file}: NODE_POLICY static needs the username ${ROOT} and its password for the region ${region}, because Proxmox lets no other user and no token set the CPU affinity of guests; add them, or set NODE_POLICY to simple`,
      ),
    )
  const connect = ({ region, url, isInsecure, caFile = '' }: ProxmoxCluster): readonly [string, ProxmoxApi] => {
    try {
      const network = { ...networkFrom(env, caFile === '' ? '' : besides(file, caFile)), isUnverified: isInsecure }
      const send = sendOver(new Connections(network, LIMITS), { userAgent: `kerf/${version}` })
      const readAccount = async (): Promise<Account> => {
        // Kerf reads the file again, so that a new secret takes effect without a restart.
        const current = (await clustersIn(file)).find((each) => each.region === region)
        if (current === undefined) throw invalid([`CLOUD_CONFIG ${file} no longer has the region ${region}`])
        return accountFor(file, current)
      }
      const credentials = proxmoxCredentials({ url, send, clock, random, readAccount })
      return [region, httpApi(httpTransport({ url, send, credentials, clock, random, gate }))]
    } catch (error) {
      if (!(error instanceof CaBundleError)) throw error
      throw invalid([`CLOUD_CONFIG ${file}: ca_file ${caFile} of region ${region}: ${error.message}`], error)
    }
  }
  return new Map(clusters.map(connect))
}
