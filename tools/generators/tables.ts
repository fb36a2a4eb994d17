import { importProviderExports } from '../../tests/support/provider-exports.ts'

type Files = () => readonly { readonly path: string; readonly content: string }[]

/** Generates the tables of each provider from the published tables and their corrections (`providers/NAME/tables/`). */
export const files = async (): Promise<readonly { readonly path: string; readonly content: string }[]> =>
  (await importProviderExports<{ readonly files: Files }>('./tables')).flatMap((each) => each.files())
