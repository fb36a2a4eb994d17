import type { Command } from 'commander'
import { legacyKind, legacyTemplates } from '../providers.ts'
import type { Verb } from '../verb.ts'

/** `kerf crds`: prints the CRDs (custom resource definitions) for kubectl. */
export const crds: Verb = {
  name: 'crds',
  summary: 'print the CRDs, for kubectl apply',
  register(program: Command): void {
    program
      .command('crds')
      .description('Print the CRDs as YAML.\n\n  kerf crds | kubectl apply --server-side -f -')
      .option('--legacy', `those of Provisioner and ${legacyKind} instead, which \`kerf run --legacy-apis\` serves`)
      .action(async ({ legacy }: { readonly legacy?: true }) => {
        const { allCrdFiles } = await import('./crd-files.ts')
        const { legacyCrdManifests } = await import('@kerf/apis/legacy')
        process.stdout.write(
          (legacy === true ? legacyCrdManifests(await legacyTemplates()) : allCrdFiles())
            .map(({ yaml }) => (yaml.startsWith('---') ? yaml : `---\n${yaml}`))
            .join(''),
        )
      })
  },
}
