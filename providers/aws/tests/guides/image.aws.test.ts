import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { GuideShell, node } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { AwsAccount } from '../aws-story.ts'
import { pythonEnvironment } from '../python-environment.ts'

const standIn = fileURLToPath(new URL('docker-stand-in.ts', import.meta.url))

// The registry is an emulated ECR. It has repositories, tokens and tags, but accepts no layers. image.registry.aws.test.ts tests real
// pushes and pulls. The other guides use the same commands (same-controller.test.ts).
test('the image is built and pushed to a new repository, and can be pushed twice', async () => {
  const account = await AwsAccount.open('nothing')
  const shell = new GuideShell(
    {
      aws: [join(pythonEnvironment('awscli==1.46.3'), 'bin', 'python'), '-m', 'awscli'],
      docker: [...node, standIn],
      npm: [...node, standIn, 'npm'],
    },
    {
      AWS_ENDPOINT_URL: account.proxy.endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
    },
  )
  try {
    const steps = guideSteps('first-pod')
    const last = steps.findIndex(({ commands }) => commands.includes('--push .'))
    expect(last).toBeGreaterThan(-1)
    for (const step of [...steps.slice(0, last + 1), ...steps.slice(last, last + 1)]) await shell.run(step)
    expect(existsSync(join(shell.directory, 'dist', 'image'))).toBe(true)
    expect(readFileSync(join(shell.directory, '.pushed'), 'utf8')).toBe(
      '123456789012.dkr.ecr.us-east-1.amazonaws.com/kerf/controller:0.1.0',
    )
  } finally {
    shell.close()
    await account.close()
  }
})
