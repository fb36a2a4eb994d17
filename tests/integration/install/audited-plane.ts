import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from '@kerf/control-plane'

/** A request of the service account, from the API server's audit log. */
export interface AuditedRequest {
  readonly verb: string
  readonly requestURI: string
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly annotations?: Readonly<Record<string, string>>
}

/** A real control plane that enforces roles and checks owner references. It records every request of one service account. */
export interface AuditedPlane {
  readonly plane: ControlPlane
  /** Writes a kubeconfig for the service account, which must exist. Returns its path. */
  accountKubeconfig(): Promise<string>
  /** Returns the service account's requests so far. */
  requests(): readonly AuditedRequest[]
  /** Runs kubectl as administrator. If kubectl fails, throws its message. */
  kubectl(args: readonly string[], input?: string): Promise<string>
  stop(): Promise<void>
}

const policy = (user: string): string =>
  JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
  })

export const startAuditedPlane = async (account: {
  readonly namespace: string
  readonly name: string
}): Promise<AuditedPlane> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-audit-'))
  const log = join(directory, 'audit.log')
  const policyFile = join(directory, 'policy.json')
  writeFileSync(log, '')
  writeFileSync(policyFile, policy(`system:serviceaccount:${account.namespace}:${account.name}`))
  const plane = await startControlPlane({
    rbac: true,
    flags: {
      'kube-apiserver': [
        `--audit-policy-file=${policyFile}`,
        `--audit-log-path=${log}`,
        '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
      ],
    },
  })
  const kubectl = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await plane.kubectl(args, input)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  return {
    plane,
    kubectl,
    accountKubeconfig: async () => {
      const token = await kubectl(['create', 'token', account.name, '-n', account.namespace, '--duration=2h'])
      // The administrator's kubeconfig is JSON in this format.
      const config = JSON.parse(readFileSync(plane.kubeconfig, 'utf8')) as { users: { user: object }[] }
      const users = config.users.map((each) => ({ ...each, user: { token: token.trim() } }))
      const file = join(directory, 'account.kubeconfig')
      writeFileSync(file, JSON.stringify({ ...config, users }), { mode: 0o600 })
      return file
    },
    requests: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as AuditedRequest] : [])),
    stop: async () => {
      await plane.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
