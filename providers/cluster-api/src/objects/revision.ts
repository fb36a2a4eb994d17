/** The number that Cluster API writes on a MachineDeployment and its sets for each change of the template. */
export const revisionOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined
