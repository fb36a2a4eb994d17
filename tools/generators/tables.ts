import { importProviderExports } from '../../tests/support/provider-exports.ts'

type Files = () => readonly { readonly path: string; readonly content: string }[]

/** The tables of each provider, from what was published and the corrections (`providers/NAME/tables/`). */
export const files = async (): Promise<readonly { readonly path: string; readonly content: string }[]> =>
  (await importProviderExports<{ readonly files: Files }>('./tables')).flatMap((each) => each.files())
