import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClusterAccess, callCluster } from './access.ts'
import {
  buildMissing,
  type ComponentName,
  type Components,
  ControlPlaneUnavailableError,
  findComponents,
} from './components.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

/** Somebody besides the administrator; without a role of his own he may do nothing under RBAC. */
export interface User {
  readonly name: string
  readonly groups?: readonly string[]
}

export interface ControlPlaneOptions {
  /** Also starts kube-scheduler and kube-controller-manager (default true). */
  readonly schedulers?: boolean
  /** Checks roles (default false: whoever has a token may do everything). */
  readonly rbac?: boolean
  readonly users?: readonly User[]
  /** Further flags by program, for the rare test that needs another setting. */
  readonly flags?: Partial<Record<ComponentName, readonly string[]>>
  /** Builds missing programs first and reports on it; without it they must be there. */
  readonly build?: (line: string) => void
}

export interface KubectlResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ControlPlane extends ClusterAccess {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  /** Path of the pinned kubectl. */
  readonly kubectlPath: string
  /** Path of a kubeconfig for one of `options.users`. */
  kubeconfigOf(user: string): string
  /** Runs the pinned kubectl as administrator. Never rejects for a failing command. */
  kubectl(args: readonly string[], input?: string): Promise<KubectlResult>
  /** What a program wrote so far. */
  log(component: ComponentName): string
  /** Kills every process and removes every file. May be called twice. */
  stop(): Promise<void>
}

const READY_DEADLINE_MS = 60_000
const POLL_MS = 50

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Ports that were free a moment ago, all different. */
const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = Array.from({ length: count }, () => createServer())
  const ports: number[] = []
  for (const server of servers) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address !== null && typeof address === 'object') ports.push(address.port)
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const kubeconfigText = (access: ClusterAccess, user: string, token: string): string =>
  JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kerf',
      clusters: [
        {
          name: 'kerf',
          cluster: {
            server: access.server,
            'certificate-authority-data': Buffer.from(access.ca).toString('base64'),
          },
        },
      ],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: 'kerf', context: { cluster: 'kerf', user, namespace: 'default' } }],
    },
    undefined,
    2,
  )

/** The API server signs a certificate for itself with an authority made on the spot; the authority is last in its file. */
const authorityOf = (certificateFile: string): string => {
  const blocks = readFileSync(certificateFile, 'utf8').match(
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
  )
  const last = blocks?.at(-1)
  if (last === undefined) throw new Error(`no certificate in ${certificateFile}`)
  return `${last}\n`
}

/** The started programs of one control plane, with their logs. */
class Programs {
  readonly directory: string
  readonly #components: Components
  readonly #watchdog: Watchdog
  readonly #failures: string[] = []

  constructor(components: Components) {
    this.#components = components
    this.directory = mkdtempSync(join(tmpdir(), 'kerf-control-plane-'))
    this.#watchdog = startWatchdog(this.directory)
  }

  path(name: string): string {
    return join(this.directory, name)
  }

  start(name: ComponentName, flags: readonly string[]): void {
    const log = openSync(this.path(`${name}.log`), 'a')
    let child: ChildProcess
    try {
      child = spawn(this.#components[name], [...flags], {
        cwd: this.directory,
        stdio: ['ignore', log, log],
        detached: true,
        env: { PATH: process.env['PATH'] ?? '', HOME: this.directory, TMPDIR: this.directory },
      })
    } finally {
      closeSync(log)
    }
    this.#watchdog.watch(child)
    child.on('error', (error) => this.#failures.push(`${name} did not start: ${error.message}`))
    child.on('exit', (code, signal) => this.#failures.push(`${name} ended (${signal ?? `exit code ${code}`})`))
  }

  log(name: ComponentName): string {
    try {
      return readFileSync(this.path(`${name}.log`), 'utf8')
    } catch {
      return ''
    }
  }

  /** @throws when a program ended or `ready` stays false until the deadline; the error holds the log's last lines */
  async until(name: ComponentName, ready: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + READY_DEADLINE_MS
    while (!(await ready().catch(() => false))) {
      const failure = this.#failures[0]
      const late = performance.now() > deadline
      if (failure !== undefined || late) {
        const tail = this.log(name).trimEnd().split('\n').slice(-15).join('\n')
        throw new Error(`${failure ?? `${name} is not ready after ${READY_DEADLINE_MS / 1000} s`}\n${tail}`)
      }
      await sleep(POLL_MS)
    }
  }

  stop(): Promise<void> {
    return this.#watchdog.release()
  }
}

const etcdFlags = (directory: string, client: number, peer: number): readonly string[] => [
  `--data-dir=${directory}`,
  `--listen-client-urls=http://127.0.0.1:${client}`,
  `--advertise-client-urls=http://127.0.0.1:${client}`,
  `--listen-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-cluster=default=http://127.0.0.1:${peer}`,
  // The data dies with the process: durability would only cost time.
  '--unsafe-no-fsync',
  '--log-level=warn',
]

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

const apiServerFlags = (
  programs: Programs,
  etcd: number,
  port: number,
  keyFile: string,
  rbac: boolean,
): readonly string[] => [
  `--etcd-servers=http://127.0.0.1:${etcd}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  '--endpoint-reconciler-type=none',
  `--secure-port=${port}`,
  `--cert-dir=${programs.path('certificates')}`,
  `--token-auth-file=${programs.path('tokens.csv')}`,
  '--anonymous-auth=false',
  `--authorization-mode=${rbac ? 'RBAC' : 'AlwaysAllow'}`,
  '--service-account-issuer=https://kerf.invalid',
  `--service-account-key-file=${keyFile}`,
  `--service-account-signing-key-file=${keyFile}`,
  '--service-cluster-ip-range=10.96.0.0/16',
  // Pods are created before the controller manager has made their namespace's service account, and never use its token.
  '--disable-admission-plugins=ServiceAccount',
  '--allow-privileged=true',
  '--profiling=false',
]

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
    // Ready does not include the namespaces that the server creates for itself.
    return (await callCluster(access, 'GET', '/api/v1/namespaces/default')).status === 200
  })
  return { access: reach(), tokens, keyFile }
}

const startSchedulers = (
  programs: Programs,
  options: ControlPlaneOptions,
  kubeconfigs: { readonly scheduler: string; readonly controllers: string },
  keyFile: string,
): void => {
  const schedulerConfig = programs.path('scheduler.json')
  writeFileSync(
    schedulerConfig,
    JSON.stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      leaderElection: { leaderElect: false },
      clientConnection: { kubeconfig: kubeconfigs.scheduler, qps: 1000, burst: 2000 },
      // A pod that did not fit is tried again soon after a node appears; the default of ten seconds is for big clusters.
      podMaxBackoffSeconds: 2,
    }),
  )
  programs.start('kube-scheduler', [
    `--config=${schedulerConfig}`,
    '--secure-port=0',
    ...(options.flags?.['kube-scheduler'] ?? []),
  ])
  programs.start('kube-controller-manager', [
    `--kubeconfig=${kubeconfigs.controllers}`,
    '--secure-port=0',
    '--leader-elect=false',
    `--service-account-private-key-file=${keyFile}`,
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    '--profiling=false',
    ...(options.flags?.['kube-controller-manager'] ?? []),
  ])
}

/** The controller manager is at work once it has made the account that every namespace gets. */
const waitForControllers = (programs: Programs, access: ClusterAccess): Promise<void> =>
  programs.until('kube-controller-manager', async () => {
    const account = await callCluster(access, 'GET', '/api/v1/namespaces/default/serviceaccounts/default')
    return account.status === 200
  })

const runKubectl = (
  path: string,
  kubeconfig: string,
  args: readonly string[],
  input: string | undefined,
): Promise<KubectlResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, [...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: join(kubeconfig, '..'), KUBECONFIG: kubeconfig },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
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
      startSchedulers(
        programs,
        options,
        {
          scheduler: kubeconfigOf('system:kube-scheduler'),
          controllers: kubeconfigOf('system:kube-controller-manager'),
        },
        keyFile,
      )
      await waitForControllers(programs, access)
    }
    const kubeconfig = kubeconfigOf('kerf-admin')
    return {
      ...access,
      kubeconfig,
      kubectlPath: components.kubectl,
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

/** Another process may take a port between the look and the start; new ports are worth two more tries. */
const isPortConflict = (error: unknown): boolean =>
  error instanceof Error && /address already in use/.test(error.message)

/**
 * Starts etcd, kube-apiserver and, unless told otherwise, kube-scheduler and kube-controller-manager with all their
 * controllers. Loopback only, on free ports; ready in about six seconds. Processes and files vanish on `stop`, and also
 * when this process dies without calling it.
 * @throws ControlPlaneUnavailableError when the programs are not here; Error with a program's last log lines when it fails
 */
export const startControlPlane = async (options: ControlPlaneOptions = {}): Promise<ControlPlane> => {
  const components = options.build === undefined ? findComponents() : await buildMissing(options.build)
  if ('missing' in components) {
    throw new ControlPlaneUnavailableError(
      `no ${components.missing.join(', ')} here: run "node test/cluster/build.ts" (needs Go), or set KUBEBUILDER_ASSETS to a directory that holds them`,
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
