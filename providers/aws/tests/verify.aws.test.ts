import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bareEnvironment, startKerf } from '../../../tests/integration/story/start-kerf.ts'
import { readTranscript } from '../src/diagnostics/verify/transcript.ts'
import { AwsAccount } from './aws-story.ts'

const ROLE = 'KarpenterNodeRole-demo'
const never = new AbortController().signal

describe('kerf aws verify, as a process with the emulator', () => {
  let account: AwsAccount
  let directory = ''
  beforeEach(async () => {
    account = await AwsAccount.open()
    directory = mkdtempSync(join(tmpdir(), 'kerf-verify-'))
    account.proxy.parameters.set(
      '/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id',
      'ami-0000000000000a64a',
    )
  })
  afterEach(async () => {
    await account.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const verify = (...args: readonly string[]) =>
    startKerf(['aws', 'verify', '--region', 'us-east-1', ...args], {
      cwd: directory,
      env: {
        ...bareEnvironment(),
        AWS_ENDPOINT_URL: account.proxy.endpoint,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    })
  /** Counts the remaining instances, launch templates and instance profiles of verify runs. */
  const left = async (): Promise<readonly number[]> => {
    const { ec2, iam } = account.api()
    const instances = await ec2.describeInstances({ filters: [] }, never)
    return [
      instances.filter(({ State }) => State?.Name !== 'terminated').length,
      (await ec2.describeLaunchTemplates({ filters: [] }, never)).length,
      (await iam.listInstanceProfiles('/karpenter/', never)).length,
    ]
  }

  test('verify launches, interrupts and deletes instances, and leaves only a transcript', async () => {
    // The emulator launches every instance type in every zone. The proxy refuses this combination, as EC2 does.
    account.proxy.shortages.push({ instanceType: 'c5.large', zone: 'us-east-1e' })
    const { code, stdout, stderr } = await verify('--node-role-name', ROLE, '--yes').ended
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/^ok {6}/gm)).toHaveLength(9)
    expect(stdout).toContain('c5.large in us-east-1e: EC2 returned InsufficientInstanceCapacity; Kerf: ')
    expect(await left()).toEqual([0, 0, 0])

    const [file = ''] = readdirSync(directory)
    const text = readFileSync(join(directory, file), 'utf8')
    const { head, calls } = readTranscript(text)
    expect(head).toMatchObject({ transcript: 'kerf aws verify', region: 'us-east-1' })
    expect(new Set(calls.map(({ operation }) => operation))).toContain('describeVolumes')
    // Removes values specific to the emulator: its account, its addresses, and its host.
    for (const pattern of [
      /\b\d{12}\b/,
      /\b\d{1,3}(\.\d{1,3}){3}\b/,
      /-[0-9a-f]{17}\b/,
      /KarpenterNodeRole/,
      /\.internal/,
    ])
      expect(pattern.exec(text)?.[0]).toBeUndefined()

    const compared = await verify('--against-fake', file).ended
    // The emulator and the fake refuse with different codes, and their descriptions differ in length.
    expect(compared).toMatchObject({ code: 3, stderr: '' })
    expect(compared.stdout).toMatch(/^\d+ operations compared, \d+ differ$/m)
    expect(compared.stdout).toMatch(/^ec2\.describeSecurityGroups\n {2}only in AWS\n {4}\[\]\.Description$/m)
    expect(compared.stdout).toMatch(
      /errors only in the fake\n {4}Unsupported\n {2}errors only in AWS\n {4}Insufficient/,
    )
  })

  test('after Ctrl-C while instances run, verify removes them before the process ends', async () => {
    const running = verify('--node-role-name', ROLE, '--yes')
    await running.printed(/an on-demand instance is launched/)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(code, stdout).toBe(1)
    expect(stdout).toMatch(
      /^stopping: kerf-verify-[0-9a-f]{8} is being cleaned up; if you do not wait, run later: kerf aws verify --clean-up/m,
    )
    expect(stdout).toContain('FAILED  the run: interrupted\n')
    expect(await left()).toEqual([0, 0, 0])
  })

  test('if verify is killed while instances run, the command that it printed removes them', async () => {
    const running = verify('--node-role-name', ROLE, '--yes')
    await running.printed(/an on-demand instance is launched/)
    const command = /kerf aws verify (--clean-up [0-9a-f]{8} --region us-east-1)$/m.exec(running.output)?.[1] ?? ''
    running.child.kill('SIGKILL')
    await running.ended
    expect((await left())[0]).toBeGreaterThan(0)
    const { code, stdout } = await verify(...command.split(' ')).ended
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^no resources of run [0-9a-f]{8} are left/),
    })
    expect(await left()).toEqual([0, 0, 0])
  })
})
