import type { Command } from 'commander'
import type { Verb } from '../verb.ts'

/** `kerf new-provider`: creates the package of a new provider from the example. */
export const newProvider: Verb = {
  name: 'new-provider',
  summary: 'create a new provider from the example provider in a checkout of Kerf',
  register(program: Command): void {
    program
      .command('new-provider')
      .description(
        'Create providers/NAME, a complete provider for a fictional cloud.\n' +
          'docs/providers.md explains how to continue with your cloud.\n\n  npm run kerf new-provider acme',
      )
      .argument('<name>', 'name of the provider, as for --provider: lower-case letters, digits and hyphens')
      .action(async (name: string) => {
        const { checkoutAbove, createProvider, nextSteps } = await import('./create-provider.ts')
        const root = checkoutAbove(process.cwd())
        const files = createProvider(root, name)
        process.stdout.write(`${files.map((file) => `wrote ${file}\n`).join('')}\n${nextSteps(name)}`)
      })
  },
}
