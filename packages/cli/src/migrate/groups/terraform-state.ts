import { plainText } from '@kerf/apis'
import type { TerraformResource } from '@kerf/provider-contract'
import { asObjects, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'

const resourcesIn = (module: unknown): readonly Loose[] => [
  ...asObjects(looseAt(module, 'resources')),
  ...asObjects(looseAt(module, 'child_modules')).flatMap(resourcesIn),
]

/**
 * Returns the resources of all modules in the output of `terraform show -json`, without data sources. Returns undefined for any
 * other document.
 */
export const terraformResources = (document: Loose): readonly TerraformResource[] | undefined => {
  if (document['format_version'] === undefined || !('terraform_version' in document)) return undefined
  const root = looseAt(document, 'values', 'root_module') ?? looseAt(document, 'planned_values', 'root_module')
  return resourcesIn(root).flatMap(({ type, values, mode, address }) =>
    isLoose(values) && mode !== 'data' ? [{ type: plainText(type), address: plainText(address ?? ''), values }] : [],
  )
}
