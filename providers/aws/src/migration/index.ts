import type { MigrationSources } from '@kerf/provider-contract'

/** The AWS sources of `kerf migrate cas`. */
export const migrationSources: MigrationSources = {
  exports: {
    name: 'AWS',
    commands: [
      'describe-auto-scaling-groups',
      'describe-launch-template-versions',
      'describe-launch-configurations',
      'eks describe-nodegroup',
    ],
    example: 'aws autoscaling describe-auto-scaling-groups',
  },
  documents: [
    { help: 'eksctl files', tool: 'eksctl' },
    { help: 'terraform show -json', tool: 'Terraform' },
  ],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
