// What a person has to set before a model of a cloud can be asked.
import { existsSync } from 'node:fs';
import { endpoints, isEndpoint, placeVariables } from '../window/catalog.ts';
import type { Cloud } from '../window/catalog.ts';
import { accessOf, awsAccessOf } from './environment.ts';
import type { Environment } from './environment.ts';
import { googleCredentialsPath } from './google.ts';

const credentials: Record<Cloud, string> = {
  aws: 'AWS_BEARER_TOKEN_BEDROCK (or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY)',
  google:
    'GOOGLE_APPLICATION_CREDENTIALS (or run "gcloud auth application-default login", or be on a machine of Google\'s)',
};

/** What is missing to ask a model of this endpoint, as variables; empty where all is there, and for those of no cloud. */
export function missingInCloud(endpoint: string, environment: Environment = process.env): string[] {
  const cloud = isEndpoint(endpoint) ? endpoints[endpoint].env.places : undefined;
  if (cloud === undefined) return [];
  const { key, token, baseUrl = '{' } = accessOf(endpoint, environment);
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== '';
  const places = Object.values(placeVariables[cloud]).filter((names) => !names.some(isSet));
  const knows =
    cloud === 'aws' ? awsAccessOf(environment).keys !== undefined : existsSync(googleCredentialsPath(environment));
  const isKnown = key !== undefined || token !== undefined || knows;
  return [
    ...(baseUrl.includes('{') ? places.flatMap(([usual = '']) => usual) : []),
    ...(isKnown ? [] : [credentials[cloud]]),
  ];
}
