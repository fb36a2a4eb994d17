import type { Command } from 'commander'
import type { Verb } from '../verb.ts'

/** `kerf crds`: the custom resource definitions, ready for kubectl. */
export const crds: Verb = {
  name: 'crds',
  summary: 'print the custom resource definitions, for kubectl apply',
  register(program: Command): void {
    program
      .command('crds')
      .description('Print the custom resource definitions as YAML.\n\n  kerf crds | kubectl apply --server-side -f -')
      .action(async () => {
        const { crdManifests } = await import('@kerf/apis')
        process.stdout.write(
          crdManifests()
            .map(({ yaml }) => (yaml.startsWith('---') ? yaml : `---\n${yaml}`))
            .join(''),
        )
      })
  },
}
