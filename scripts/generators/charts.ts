import { crdManifests } from '@kerf/apis'

/** A template engine would read what stands in double braces; descriptions may. */
const escaped = (yaml: string): string => yaml.replaceAll('{{', "{{ '{{' }}")

/** Where a chart's own annotations go. */
const withAnnotations = (yaml: string): string =>
  escaped(yaml).replace(
    /^(metadata:\n)/m,
    '$1  {{- with .Values.additionalAnnotations }}\n  annotations:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n',
  )

/**
 * The custom resources of both charts: as they are in `karpenter`, where Helm installs them once, and as templates in
 * `karpenter-crd`, where an upgrade changes them too.
 */
export const files = async (): Promise<readonly { path: string; content: string }[]> =>
  crdManifests('aws').flatMap(({ fileName, yaml }) => [
    { path: `charts/karpenter/crds/${fileName}`, content: yaml },
    { path: `charts/karpenter-crd/templates/${fileName}`, content: withAnnotations(yaml) },
  ])
