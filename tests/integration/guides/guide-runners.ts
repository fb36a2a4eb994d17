/** The test that runs the commands of each guide, by the page below `docs/`: `guides/report`. */
export type GuideRunners = Readonly<
  Record<
    string,
    {
      /** The test file, relative to the repository. */
      readonly test: string
      /** A text of the test file: the check that all commands have run. */
      readonly holds: string
    }
  >
>
