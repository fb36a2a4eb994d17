import { readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { Connection } from './connection.ts'
import { basic, bearer, type Credentials, fixedCredentials, TokenFile } from './credentials.ts'
import { ExecCredentials, type ExecPlugin, type PluginTerminal } from './exec-credentials.ts'
import type { Field } from './field.ts'
import { readClusterInfo, readData } from './kubeconfig-cluster.ts'
import type { Network } from './network.ts'
import { OidcCredentials, type OidcUser } from './oidc-credentials.ts'

const EXEC_API = 'client.authentication.k8s.io'
const EXEC_VERSIONS: readonly string[] = [`${EXEC_API}/v1`, `${EXEC_API}/v1beta1`]
const INTERACTIVE_MODES = ['Never', 'IfAvailable', 'Always'] as const

/** The dependencies of credentials, in addition to the kubeconfig. */
export interface CredentialDeps {
  readonly clock: Clock
  /** How to reach identity providers. */
  readonly network?: Network | undefined
  /** The user's terminal, for credential plugins that ask for something. */
  readonly terminal?: PluginTerminal | undefined
}

/**
 * Returns the client certificate and its key. A key without a certificate is ignored.
 *
 * @throws KubeconfigInvalid
 */
export const readCertificate = (user: Field): { readonly cert?: string; readonly key?: string } => {
  const cert = readData(user, 'client-certificate')
  if (cert === undefined) return {}
  const key = readData(user, 'client-key')
  if (key === undefined) throw user.problem('has a client certificate without client-key or client-key-data')
  return { cert, key }
}

/** Characters that need no escape in the name of a header (RFC 9110, 5.1). `%` is missing, because it starts an escape. */
const HEADER_BYTE = /[A-Za-z0-9!#$&'*+\-.^_`|~]/

/** Returns the key of an extra field in the form that client-go uses in header names. */
const escapedKey = (key: string): string =>
  Array.from(Buffer.from(key), (byte) => {
    const character = String.fromCharCode(byte)
    return HEADER_BYTE.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

const textsIn = (list: Field): string[] => list.items().map((item) => item.text() ?? '')

/**
 * Returns the headers for impersonation, or undefined if the user does not impersonate another user. A header may have several values.
 *
 * @throws KubeconfigInvalid if groups, a UID or extra fields are set without `as`, because the server would ignore them
 */
export const impersonationHeaders = (user: Field): Connection['headers'] => {
  const name = user.field('as').text()
  const uid = user.field('as-uid').text()
  const groups = textsIn(user.field('as-groups'))
  const extraField = user.field('as-user-extra')
  const keys = extraField.isSet ? Object.keys(extraField.object()) : []
  if (!name) {
    if (uid || groups.length > 0 || keys.length > 0)
      throw user.problem('has as-uid, as-groups or as-user-extra without as')
    return undefined
  }
  return {
    'Impersonate-User': name,
    ...(uid && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': groups }),
    ...Object.fromEntries(
      keys.map((key) => [`Impersonate-Extra-${escapedKey(key)}`, textsIn(extraField.field(key))] as const),
    ),
  }
}

const configOidcUser = (config: Field): OidcUser => {
  // kubectl writes an empty string if a value is not set.
  const text = (name: string): string | undefined => config.field(name).text() || undefined
  const issuer = text('idp-issuer-url')
  const clientId = text('client-id')
  const clientSecret = text('client-secret')
  const idToken = text('id-token')
  const refreshToken = text('refresh-token')
  const ca = readData(config, 'idp-certificate-authority')
  return {
    ...(issuer && { issuer }),
    ...(clientId && { clientId }),
    ...(clientSecret && { clientSecret }),
    ...(idToken && { idToken }),
    ...(refreshToken && { refreshToken }),
    ...(ca && { ca }),
  }
}

const interactiveModeOf = (exec: Field, apiVersion: string): ExecPlugin['interactiveMode'] => {
  const field = exec.field('interactiveMode')
  const given = field.text()
  if (!given && apiVersion === `${EXEC_API}/v1`) throw field.problem(`is missing; ${apiVersion} requires it`)
  const mode = INTERACTIVE_MODES.find((each) => each === (given || 'IfAvailable'))
  if (mode === undefined) throw field.problem(`must be one of ${INTERACTIVE_MODES.join(', ')}`)
  return mode
}

const execOf = (exec: Field, cluster: Field, { clock, terminal }: CredentialDeps): Credentials => {
  const command = exec.field('command').required()
  const versionField = exec.field('apiVersion')
  const apiVersion = versionField.required()
  if (!EXEC_VERSIONS.includes(apiVersion)) throw versionField.problem(`must be one of ${EXEC_VERSIONS.join(', ')}`)
  const installHint = exec.field('installHint').text()
  const plugin: ExecPlugin = {
    apiVersion,
    // A path is relative to the kubeconfig. A name without a path is searched in PATH.
    command: command.includes(sep) ? resolve(dirname(exec.file), command) : command,
    args: textsIn(exec.field('args')),
    env: Object.fromEntries(
      exec
        .field('env')
        .items()
        .map((item) => [item.field('name').required(), item.field('value').text() ?? '']),
    ),
    interactiveMode: interactiveModeOf(exec, apiVersion),
    ...(installHint && { installHint }),
    ...(exec.field('provideClusterInfo').flag() && { cluster: readClusterInfo(cluster) }),
  }
  return new ExecCredentials(plugin, clock, terminal)
}

const tokenFileOf = (user: Field, clock: Clock): Credentials | undefined => {
  const field = user.field('tokenFile')
  const path = field.text()
  if (!path) return undefined
  const file = resolve(dirname(user.file), path)
  const token = user.field('token').text() || undefined
  if (token === undefined) {
    try {
      readFileSync(file)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      throw runtimeErrors.TokenUnreadable({ file, cause }, { cause: error })
    }
  }
  return new TokenFile(file, clock, token)
}

/**
 * Returns the credentials of a user. As in client-go, a token comes first, then a user name with a password, and then the client
 * certificate. If the user has none of these, Kerf uses the credential plugin.
 *
 * @throws KubeconfigInvalid, including for combinations that client-go refuses
 */
export const readCredentials = (user: Field, cluster: Field, deps: CredentialDeps): Credentials => {
  const exec = user.field('exec')
  const provider = user.field('auth-provider')
  if (exec.isSet && provider.isSet) throw user.problem('has both exec and auth-provider; remove one of them')
  const token = user.field('token').text()
  const username = user.field('username').text()
  const password = user.field('password').text()
  if (token && (username || password)) throw user.problem('has both a token and a password; remove one of them')
  const file = tokenFileOf(user, deps.clock)
  // A plugin is validated even if it is not used.
  const plugin = exec.isSet ? execOf(exec, cluster, deps) : undefined
  if (file !== undefined) return file
  if (token) return fixedCredentials({ authorization: bearer(token) })
  if (username) return fixedCredentials({ authorization: basic(username, password ?? '') })
  if (plugin !== undefined) return readCertificate(user).cert === undefined ? plugin : fixedCredentials({})
  if (provider.isSet) {
    const kind = provider.field('name').required()
    if (kind !== 'oidc')
      throw provider.problem(`auth-provider ${kind} was removed from Kubernetes; use its exec plugin`)
    return new OidcCredentials(configOidcUser(provider.field('config')), deps.clock, deps.network)
  }
  return fixedCredentials({})
}
