import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type ClusterAccess, callCluster } from './access.ts'
import { apiServerFlags, controllerManagerFlags, etcdFlags, schedulerConfiguration } from './component-flags.ts'
import {
  buildMissing,
  type ComponentName,
  type Components,
  ControlPlaneUnavailableError,
  findComponents,
} from './components.ts'
import { freePorts } from './free-ports.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { runKubectl } from './kubectl.ts'
import { Programs } from './programs.ts'
import type { ProgramResult } from './run-program.ts'

/** A user who is not the administrator. If RBAC is enabled, a user without a role has no permissions. */
export interface User {
  readonly name: string
  readonly groups?: readonly string[]
}

export interface ControlPlaneOptions {
  /** Whether to start kube-scheduler and kube-controller-manager as well. The default is true. */
  readonly schedulers?: boolean
  /** Whether to enable RBAC. The default is false, which gives every token full access. */
  readonly rbac?: boolean
  readonly users?: readonly User[]
  /** Additional flags by program, for the few tests that need them. */
  readonly flags?: Partial<Record<ComponentName, readonly string[]>>
  /** Called with the progress of building missing programs. If absent, the programs must already exist. */
  readonly build?: (line: string) => void
}

export interface ControlPlane extends ClusterAccess {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  /** Path of the pinned kubectl. */
  readonly kubectlPath: string
  /** The process ids of the control plane. */
  readonly processes: readonly number[]
  /** Returns the path of a kubeconfig for one of `options.users`. */
  kubeconfigOf(user: string): string
  /** Runs the pinned kubectl as administrator. Never rejects, even if the command fails. */
  kubectl(args: readonly string[], input?: string): Promise<ProgramResult>
  /** Returns the log of a program so far. */
  log(component: ComponentName): string
  /** Kills every process and removes every file. May be called more than once. */
  stop(): Promise<void>
}

/**
 * Returns the CA certificate. The API server creates a CA, signs its own certificate with it, and appends the CA certificate to the
 * certificate file.
 */
const authorityOf = (certificateFile: string): string => {
  const blocks = readFileSync(certificateFile, 'utf8').match(
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
  )
  const last = blocks?.at(-1)
  if (last === undefined) throw new Error(`no certificate in ${certificateFile}`)
  return `${last}\n`
}

const randomToken = (): string => randomBytes(24).toString('base64url')

const firstToken = (csv: string): string => csv.slice(0, csv.indexOf(','))

const writeTokens = (programs: Programs, users: readonly User[]): ReadonlyMap<string, string> => {
  const all: readonly User[] = [
    { name: 'kerf-admin', groups: ['system:masters'] },
    { name: 'system:kube-scheduler' },
    { name: 'system:kube-controller-manager', groups: ['system:masters'] },
    ...users,
  ]
  const lines = all.map((user) => `${randomToken()},${user.name},${user.name},"${(user.groups ?? []).join(',')}"`)
  writeFileSync(programs.path('tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 })
  return new Map(all.map((user, index) => [user.name, firstToken(lines[index] ?? '')]))
}

const writeServiceAccountKey = (programs: Programs): string => {
  const file = programs.path('service-account.pem')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  writeFileSync(file, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 })
  return file
}

const startApiServer = async (
  programs: Programs,
  options: ControlPlaneOptions,
): Promise<{ access: ClusterAccess; tokens: ReadonlyMap<string, string>; keyFile: string }> => {
  const [etcdPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3)
  const tokens = writeTokens(programs, options.users ?? [])
  const keyFile = writeServiceAccountKey(programs)
  programs.start('etcd', [...etcdFlags(programs.path('etcd'), etcdPort, peerPort), ...(options.flags?.etcd ?? [])])
  programs.start('kube-apiserver', [
    ...apiServerFlags(programs, etcdPort, apiPort, keyFile, options.rbac ?? false),
    ...(options.flags?.['kube-apiserver'] ?? []),
  ])
  const certificate = programs.path('certificates/apiserver.crt')
  const reach = (): ClusterAccess => ({
    server: `https://127.0.0.1:${apiPort}`,
    ca: authorityOf(certificate),
    token: tokens.get('kerf-admin') ?? '',
  })
  await programs.until('kube-apiserver', async () => {
    const access = reach()
    if ((await callCluster(access, 'GET', '/readyz')).status !== 200) return false
    // When the server reports that it is ready, the namespaces that it creates itself may not exist yet.
    return (await callCluster(access, 'GET', '/api/v1/namespaces/default')).status === 200
  })
  return { access: reach(), tokens, keyFile }
}

const startSchedulers = (
  programs: Programs,
  flags: NonNullable<ControlPlaneOptions['flags']>,
  kubeconfigOf: (user: string) => string,
  keyFile: string,
): void => {
  const schedulerFile = programs.path('scheduler.json')
  writeFileSync(schedulerFile, schedulerConfiguration(kubeconfigOf('system:kube-scheduler')))
  programs.start('kube-scheduler', [`--config=${schedulerFile}`, '--secure-port=0', ...(flags['kube-scheduler'] ?? [])])
  programs.start('kube-controller-manager', [
    ...controllerManagerFlags(kubeconfigOf('system:kube-controller-manager'), keyFile),
    ...(flags['kube-controller-manager'] ?? []),
  ])
}

/** Waits for the controller manager. It is ready when it has created the default service account of a namespace. */
const waitForControllers = (programs: Programs, access: ClusterAccess): Promise<void> =>
  programs.until('kube-controller-manager', async () => {
    const account = await callCluster(access, 'GET', '/api/v1/namespaces/default/serviceaccounts/default')
    return account.status === 200
  })

const attempt = async (components: Components, options: ControlPlaneOptions): Promise<ControlPlane> => {
  const programs = new Programs(components)
  try {
    const { access, tokens, keyFile } = await startApiServer(programs, options)
    const kubeconfigOf = (user: string): string => programs.path(`${user.replaceAll(/[^a-z0-9-]/gi, '-')}.kubeconfig`)
    for (const [user, token] of tokens) {
      writeFileSync(kubeconfigOf(user), kubeconfigText(access, user, token), { mode: 0o600 })
    }
    if (options.schedulers ?? true) {
      startSchedulers(programs, options.flags ?? {}, kubeconfigOf, keyFile)
      await waitForControllers(programs, access)
    }
    const kubeconfig = kubeconfigOf('kerf-admin')
    return {
      ...access,
      kubeconfig,
      kubectlPath: components.kubectl,
      processes: programs.ids,
      kubeconfigOf: (user) => {
        if (!tokens.has(user)) throw new Error(`no user ${user}: name it in the option "users"`)
        return kubeconfigOf(user)
      },
      kubectl: (args, input) => runKubectl(components.kubectl, kubeconfig, args, input),
      log: (component) => programs.log(component),
      stop: () => programs.stop(),
    }
  } catch (error) {
    await programs.stop()
    throw error
  }
}

/**
 * Reports whether the start failed because a port is in use. Another process may take a free port before the program starts, so the start
 * is retried with other ports.
 */
const isPortConflict = (error: unknown): boolean =>
  error instanceof Error && /address already in use/.test(error.message)

/**
 * Starts etcd, kube-apiserver and, unless `schedulers` is false, kube-scheduler and kube-controller-manager with all its controllers. They
 * listen only on loopback, on free ports, and are ready after about six seconds. `stop` removes processes and files. They are also removed
 * if this process dies without calling it.
 * @throws ControlPlaneUnavailableError if programs are missing; Error with the last lines of a program's log if the program fails
 */
export const startControlPlane = async (options: ControlPlaneOptions = {}): Promise<ControlPlane> => {
  const components = options.build === undefined ? findComponents() : await buildMissing(options.build)
  if ('missing' in components) {
    throw new ControlPlaneUnavailableError(
      `no ${components.missing.join(', ')} here: run "node tests/support/control-plane/build.ts" (needs Go), or set KUBEBUILDER_ASSETS to a directory that holds them`,
    )
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(components, options)
    } catch (error) {
      if (tries === 3 || !isPortConflict(error)) throw error
    }
  }
}
