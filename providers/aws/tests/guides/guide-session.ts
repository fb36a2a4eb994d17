import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ControlPlane, findHelm, startControlPlane } from '@kerf/control-plane'
import type { HttpKubeClient } from '@kerf/runtime'
import { GuideShell, node } from '../../../../tests/integration/guides/guide-shell.ts'
import { kerfCommand } from '../../../../tests/integration/story/start-kerf.ts'
import { httpClient } from '../../../../tests/integration/story/story-cluster.ts'
import { AwsAccount } from '../aws-story.ts'
import { NodeHarness } from '../node-harness.ts'
import { pythonEnvironment } from '../python-environment.ts'
import { ClusterInstances } from './cluster-instances.ts'
import { EksAccount } from './eks-account.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * The environment of a guide: an emulated AWS account, a real control plane that checks roles, the machines of EKS and EC2, and a terminal
 * with kubectl, helm, the AWS CLI and kerf.
 */
export class GuideSession {
  readonly plane: ControlPlane
  readonly account: AwsAccount
  readonly shell: GuideShell
  readonly client: HttpKubeClient
  readonly machines: ClusterInstances
  readonly harness: NodeHarness
  #isOpen = true

  private constructor(deps: Pick<GuideSession, 'plane' | 'account' | 'shell' | 'client' | 'machines' | 'harness'>) {
    this.plane = deps.plane
    this.account = deps.account
    this.shell = deps.shell
    this.client = deps.client
    this.machines = deps.machines
    this.harness = deps.harness
  }

  static async open(clusterName: string): Promise<GuideSession> {
    const aws = join(pythonEnvironment('awscli==1.46.3'), 'bin', 'python')
    const account = await AwsAccount.open('nothing')
    const plane = await startControlPlane({
      rbac: true,
      // The machines here send no heartbeats.
      flags: { 'kube-controller-manager': ['--node-monitor-grace-period=1h'] },
    })
    const { endpoint } = account.proxy
    const machine = {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_EC2_METADATA_DISABLED: 'true',
    }
    const shell = new GuideShell(
      {
        kubectl: [plane.kubectlPath],
        helm: [findHelm() ?? 'helm'],
        aws: [aws, '-m', 'awscli'],
        eksctl: [...node, here('eksctl-stand-in.ts')],
        kerf: kerfCommand,
        docker: [...node, here('docker-stand-in.ts')],
        npm: [...node, here('docker-stand-in.ts'), 'npm'],
      },
      { ...machine, KUBECONFIG: plane.kubeconfig, AWS_PAGER: '' },
    )
    const client = httpClient(plane)
    const machines = new ClusterInstances(
      { client, plane, eks: new EksAccount(endpoint, clusterName) },
      { directory: shell.directory, machine: { ...machine, AWS_REGION: 'us-east-1' } },
    )
    machines.start()
    const harness = new NodeHarness({ client, ec2: account.api().ec2, proxy: account.proxy })
    harness.start()
    return new GuideSession({ plane, account, shell, client, machines, harness })
  }

  /** The image that the guide pushed last, as the stand-in for docker recorded it. */
  get pushed(): string {
    return readFileSync(join(this.shell.directory, '.pushed'), 'utf8')
  }

  /** The output of the controllers, for the message of a failed test. */
  get controllerOutput(): string {
    return this.machines.controllers
      .values()
      .map(({ output }) => output.slice(-4_000))
      .toArray()
      .join('\n---\n')
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.machines.stop()
    await this.harness.stop()
    await this.client.close()
    await this.plane.stop()
    await this.account.close()
    this.shell.close()
  }
}
