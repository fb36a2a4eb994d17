import { importFromProviders } from '../../tests/support/provider-files.ts'

type Files = () => readonly { readonly path: string; readonly content: string }[]

/** The tables of each provider, from what was published and the corrections (`providers/NAME/tables/`). */
export const files = async (): Promise<readonly { readonly path: string; readonly content: string }[]> =>
  (await importFromProviders<{ readonly files: Files }>('tables/generator.ts')).flatMap((each) => each.files())
