// Where Google's own tools keep who asks, and where a machine of theirs tells it.
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { personFolder } from './home.ts';

/** The file in which Google's tools keep who asks, as their own libraries look for it. */
export function googleCredentialsPath(environment: Environment = process.env): string {
  const named = environment['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  if (named) return named;
  const folder = environment['CLOUDSDK_CONFIG']?.trim() || join(personFolder(), '.config', 'gcloud');
  return join(folder, 'application_default_credentials.json');
}

/** Where a machine of Google Cloud tells who it is. */
export function googleMetadataHost(environment: Environment = process.env): string {
  return environment['GCE_METADATA_HOST']?.trim() || 'metadata.google.internal';
}
